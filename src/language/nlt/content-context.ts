/** Determines the escaping context of a value inside an attribute or a raw element. */
import { AddressState } from './address-state.js';
import type { AttributeKind } from './attribute-kinds.js';
import type { LinkContext, EscapeContext } from './escape-context.js';
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
export function contextInAttribute(
  kind: AttributeKind,
  content: ValueContent,
  quoted: boolean,
): EscapeContext {
  if (kind === 'script') return { kind, quoted };
  if (content instanceof StyleState) return styleContext(content, quoted, false);
  if (content instanceof RefreshState)
    return content.isExecuted ? { kind: 'script', quoted } : { kind: 'refresh', quoted };
  if (content instanceof AddressState) return addressContext(content, quoted, kind === 'picture', 'html');
  return { kind: 'attribute', quoted };
}

/**
 * The context of a value inside the text of a raw element.
 * @param isAmbiguous whether the text may be parsed as markup after all.
 */
export function contextInRawElement(raw: RawState, isAmbiguous: boolean): EscapeContext {
  if (raw.isOpen(isAmbiguous)) return { kind: 'tag' };
  if (raw.isHidden) return { kind: 'comment' };
  if (raw.tag === 'script') return { kind: 'script', quoted: true };
  return raw.style === null ? { kind: 'text', afterLessThan: false } : styleContext(raw.style, true, true);
}

function styleContext({ address }: StyleState, quoted: boolean, inElement: boolean): EscapeContext {
  if (address === null) return { kind: 'style', quoted, inElement };
  return addressContext(address, quoted, true, inElement ? 'style element' : 'style attribute');
}

function addressContext(
  address: AddressState,
  quoted: boolean,
  isPicture: boolean,
  within: LinkContext['within'],
): EscapeContext {
  if (address.isExecuted) return { kind: 'script', quoted };
  const { part, isAnchored } = address;
  return { kind: 'link', quoted, part, anchored: isAnchored, isPicture, within };
}
