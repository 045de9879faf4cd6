/** Checks images: whether they load, and what remains if they do not (section 4.3, preflight: images). */
import { readAddresses, type Address } from '../email/address.js';
import { holdsExpression } from '../email/blanked-source.js';
import { atDeclaration, type ElementDeclaration } from './element-findings.js';
import { privateHostOf } from '../findings/allowed-hosts.js';
import { MAX_FINDINGS } from '../findings/bounded-findings.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import { addressesInStyle } from '../email/style-addresses.js';
import { writtenAttribute, type EmailElement, type ParsedEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';

/** More images than newsletters that reach the inbox have. */
const MAX_IMAGES = 40;

export function checkImages(email: ParsedEmail): RuleFinding[] {
  const images = email.elements.filter(({ name }) => name === 'img');
  const findings = images.flatMap((image) => checkImage(email, image));
  for (const element of email.elements) {
    if (element.attributes.has('background')) findings.push(...checkSource(email, element, 'background'));
  }
  findings.push(...checkStyles(email));
  if (images.length > MAX_IMAGES) {
    findings.push({ rule: 'image_many', message: `There are ${images.length} images.`, at: null });
  }
  return findings;
}

function checkImage(email: ParsedEmail, image: EmailElement): RuleFinding[] {
  const { attributes, offset: offset, end: until } = image;
  // An expression among the attributes may produce any of them.
  const hasExpression = [...attributes.keys()].some(holdsExpression);
  const findings: RuleFinding[] = [];
  if (attributes.has('src')) findings.push(...checkSource(email, image, 'src'));
  else if (!hasExpression)
    findings.push({ rule: 'image_without_source', message: 'An image has no src.', at: offset, until });
  if (hasExpression) return findings;
  const what = attributes.has('src')
    ? `The image ${quote(writtenAttribute(email, image, 'src'))}`
    : 'An image';
  if (!attributes.has('alt') && !isDecoration(image)) {
    findings.push({ rule: 'image_without_alt', message: `${what} has no alt text.`, at: offset, until });
  }
  const declared = new Set((email.inline.get(image) ?? []).map(({ property }) => property));
  const missing = ['width', 'height'].filter((side) => !attributes.has(side) && !declared.has(side));
  if (missing.length > 0) {
    findings.push({
      rule: 'image_without_size',
      message: `${what} has no ${missing.join(' and no ')}.`,
      at: offset,
      until,
    });
  }
  return findings;
}

function isDecoration({ attributes }: EmailElement): boolean {
  return (
    attributes.get('aria-hidden') === 'true' || /^(presentation|none)$/i.test(attributes.get('role') ?? '')
  );
}

function checkSource(email: ParsedEmail, element: EmailElement, attribute: string): RuleFinding[] {
  const { offset: offset, end: until } = element;
  const written = quote(writtenAttribute(email, element, attribute));
  return readAddresses(element.attributes.get(attribute) ?? '')
    .flatMap(judge)
    .map(({ rule, what, ...of }) => ({
      rule,
      message: `The image ${written} ${what}.`,
      at: offset,
      until,
      ...of,
    }));
}

/** Checks background images of styles; a URL of @import or @font-face is none. */
function checkStyles(email: ParsedEmail): RuleFinding[] {
  const declared = [
    ...email.rules
      .flatMap((rule) => rule.declarations)
      .map((declaration) => ({ declaration, element: null })),
    ...[...email.inline].flatMap(([element, declarations]) =>
      declarations.map((declaration) => ({ declaration, element })),
    ),
  ];
  return declared
    .filter(({ declaration }) => /url\(/i.test(declaration.text))
    .slice(0, MAX_FINDINGS)
    .flatMap(checkStyle);
}

function checkStyle(declared: ElementDeclaration): RuleFinding[] {
  const address = addressesInStyle(declared.declaration.text.slice(0, 4_000))[0];
  if (address === undefined) return [];
  return readAddresses(address)
    .flatMap(judge)
    .map(({ rule, what, ...of }) => {
      const message = `The background image ${describeAddress(address)} ${what}.`;
      return { ...atDeclaration(rule, declared, message), ...of };
    });
}

function describeAddress(address: string): string {
  return holdsExpression(address) ? 'of a style' : quote(address);
}

type Problem = Pick<RuleFinding, 'rule' | 'privateHost'> & { readonly what: string };

function judge(address: Address): Problem[] {
  return problemsOf(address).map(([rule, what]) => ({ rule, what, ...privateHostOf(address) }));
}

function problemsOf(address: Address): (readonly [RuleName, string])[] {
  switch (address.kind) {
    case 'unknown':
      return [];
    case 'empty':
      return [['image_without_source', 'has no address']];
    case 'anchor':
      return [['image_relative', 'is not an image']];
    case 'relative':
      return [['image_relative', address.why]];
    case 'malformed':
      return [['image_malformed', address.why]];
    case 'scheme':
      return [
        address.scheme === 'data'
          ? ['image_embedded', 'is embedded (data:)']
          : ['image_unreachable', `has the scheme ${address.scheme}:, which readers cannot load`],
      ];
    case 'web':
      if (address.trait === 'private') return [['image_unreachable', 'is at a private address']];
      if (address.trait === 'example') return [['image_example', 'is at an example address']];
      return address.secure ? [] : [['image_insecure', 'is not encrypted (http)']];
  }
}
