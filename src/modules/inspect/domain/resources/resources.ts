/**
 * Collects the links and images of a rendered message that are to be requested (section 4.7): http and https addresses
 * that are known for certain. An address that contains the value of an expression is a merge-field address and is not
 * requested.
 */
import { MAX_RESOURCES, type Resource, type SourcePiece } from '../analysis/analysis.js';
import { holdsExpression } from '../email/blanked-source.js';
import type { EmailElement, ParsedEmail } from '../email/parsed-email.js';
import { addressesInStyle } from '../email/style-addresses.js';
import { sourceOffset } from '../analysis/source-offset.js';

export interface FoundResources {
  readonly resources: readonly Resource[];
  readonly resourcesTruncated: boolean;
}

/** Maximum number of characters of an address that is requested. */
const MAX_ADDRESS_LENGTH = 4_000;

/** @param email the rendered message with all its values blanked. */
export function resourcesOf(email: ParsedEmail, pieces: readonly SourcePiece[]): FoundResources {
  const found = new Map<string, Resource>();
  for (const element of email.elements) {
    for (const [kind, address] of addressesOf(email, element)) {
      const at = sourceOffset(pieces, element.offset);
      const key = `${kind} ${at} ${address}`;
      if (found.has(key)) continue;
      if (found.size >= MAX_RESOURCES) return { resources: [...found.values()], resourcesTruncated: true };
      const until = Math.max(at, sourceOffset(pieces, element.end - 1) + 1);
      found.set(key, { kind, address, at, until });
    }
  }
  return { resources: [...found.values()], resourcesTruncated: false };
}

function addressesOf(email: ParsedEmail, element: EmailElement): (readonly [Resource['kind'], string])[] {
  const { name, attributes } = element;
  const styles = (email.inline.get(element) ?? []).flatMap(({ text }) =>
    addressesInStyle(text.slice(0, 2 * MAX_ADDRESS_LENGTH)),
  );
  const link = name === 'a' || name === 'area' ? attributes.get('href') : undefined;
  const images = [
    name === 'img' ? attributes.get('src') : undefined,
    attributes.get('background'),
    ...styles,
  ];
  return [
    ...webAddress(link).map((address) => ['link', address] as const),
    ...[...new Set(images.flatMap(webAddress))].map((address) => ['image', address] as const),
  ];
}

/** The address as browsers read it; empty if it has another scheme, or is not known for certain. */
function webAddress(written: string | undefined): string[] {
  const address = written?.replace(/[\t\n\r]/g, '').trim() ?? '';
  if (address.length > MAX_ADDRESS_LENGTH || holdsExpression(address)) return [];
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? [address] : [];
}
