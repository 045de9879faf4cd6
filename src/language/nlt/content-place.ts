/** Determines the escaping context of a value inside an attribute or a raw element. */
import { AddressState } from './address-state.js';
import type { AttributeKind } from './attribute-kinds.js';
import type { LinkPlace, Place } from './place.js';
import type { RawState } from './raw-state.js';
import { RefreshState } from './refresh-state.js';
import { StyleState } from './style-state.js';

/** The parser state inside an attribute's value; null if the value needs no tracking. */
export type ValueContent = AddressState | RefreshState | StyleState | null;

/** The initial state for an attribute's value. */
export function contentOfKind(kind: AttributeKind): ValueContent {
  switch (kind) {
    case 'link':
    case 'picture':
      return new AddressState();
    case 'refresh':
      return new RefreshState();
    case 'style':
      return new StyleState();
    default:
      return null;
  }
}

/** The context of a value inside an attribute's value. */
export function placeInAttribute(kind: AttributeKind, content: ValueContent, quoted: boolean): Place {
  if (kind === 'script') return { kind, quoted };
  if (content instanceof StyleState) return stylePlace(content, quoted, false);
  if (content instanceof RefreshState)
    return content.runs ? { kind: 'script', quoted } : { kind: 'refresh', quoted };
  if (content instanceof AddressState) return addressPlace(content, quoted, kind === 'picture', 'html');
  return { kind: 'attribute', quoted };
}

/**
 * The context of a value inside the text of a raw element.
 * @param isLoose whether the text may be parsed as markup after all.
 */
export function placeInRaw(raw: RawState, isLoose: boolean): Place {
  if (raw.isOpen(isLoose)) return { kind: 'tag' };
  if (raw.isHidden) return { kind: 'comment' };
  if (raw.tag === 'script') return { kind: 'script', quoted: true };
  return raw.style === null ? { kind: 'text', afterLess: false } : stylePlace(raw.style, true, true);
}

function stylePlace({ address }: StyleState, quoted: boolean, inElement: boolean): Place {
  if (address === null) return { kind: 'style', quoted, inElement };
  return addressPlace(address, quoted, true, inElement ? 'style element' : 'style attribute');
}

function addressPlace(
  address: AddressState,
  quoted: boolean,
  isPicture: boolean,
  within: LinkPlace['within'],
): Place {
  if (address.runs) return { kind: 'script', quoted };
  const { part, isAnchored } = address;
  return { kind: 'link', quoted, part, anchored: isAnchored, isPicture, within };
}
