/**
 * What columns are probably for, by their names in the languages and services that people come from. Five names map of
 * themselves (section 4.9), and subscription_status, since opt-outs come first; the rest is a suggestion that a job's `field_mapping` takes up or not.
 */
import { LRUCache } from 'lru-cache';
import type { MappingTarget } from '../import-job.js';

const AUTOMATIC: readonly MappingTarget[] = [
  ...(['external_id', 'email', 'first_name', 'last_name', 'phone', 'subscription_status'] as const),
];

/** By plain letters and digits alone; the likeliest first. */
const NAMES: Readonly<Record<MappingTarget, readonly string[]>> = {
  external_id: [
    'externalid',
    'userid',
    'customerid',
    'contactid',
    'personid',
    'memberid',
    'subscriberid',
    'uid',
    'id',
  ],
  email: [
    ...[
      'email',
      'emailaddress',
      'mail',
      'mailaddress',
      'primaryemail',
      'contactemail',
      'useremail',
      'customeremail',
    ],
    ...['correo', 'correoelectronico', 'courriel', 'adressemail', 'emailadresse', 'epost'],
  ],
  first_name: ['firstname', 'givenname', 'forename', 'fname', 'first', 'vorname', 'prenom', 'nombre'],
  last_name: [
    ...[
      'lastname',
      'surname',
      'familyname',
      'lname',
      'last',
      'nachname',
      'apellido',
      'apellidos',
      'nomdefamille',
    ],
  ],
  phone: [
    ...[
      'phone',
      'phonenumber',
      'mobile',
      'mobilephone',
      'mobilenumber',
      'cell',
      'cellphone',
      'telephone',
      'tel',
    ],
    ...['smsnumber', 'telefon', 'telefono', 'handy', 'movil'],
  ],
  product_type: ['producttype', 'product'],
  subscription_status: [
    ...[
      'subscriptionstatus',
      'subscriptionstate',
      'emailsubscriptionstatus',
      'emailsubscribe',
      'emailstatus',
    ],
    ...['marketingstatus', 'unsubscribed', 'unsubscribedfromemails', 'isunsubscribed', 'optout', 'optedout'],
    ...[
      'emailoptout',
      'hasoptedoutofemail',
      'unsubscribe',
      'donotemail',
      'unsub',
      'optoutflag',
      'optedoutofemail',
    ],
    ...['noemail', 'donotmail', 'emailunsubscribed', 'globalunsubscribe', 'suppressed', 'blocklisted'],
    ...['blacklisted', 'abgemeldet', 'complained', 'hardbounced', 'bounced', 'cleaned'],
  ],
  timezone: ['timezone', 'tz', 'zeitzone', 'zonahoraria', 'fuseauhoraire'],
  locale: ['locale', 'language', 'lang', 'preferredlanguage', 'languagecode', 'sprache', 'idioma', 'langue'],
};

const TARGETS = Object.keys(NAMES) as readonly MappingTarget[];

/** What maps of itself: the five names of the contract and the status, however they are written in large and small letters. */
export function automaticMapping(columns: readonly string[]): Readonly<Record<string, MappingTarget>> {
  const pairs = AUTOMATIC.flatMap((target) => {
    const column =
      columns.find((name) => name === target) ?? columns.find((name) => name.toLowerCase() === target);
    return column === undefined ? [] : [[column, target] as const];
  });
  return Object.fromEntries(pairs);
}

/** What maps of itself, and what else is likely; each target once at most. */
export function suggestedMapping(columns: readonly string[]): Readonly<Record<string, MappingTarget>> {
  const mapping = new Map<string, MappingTarget>(Object.entries(automaticMapping(columns)));
  const plain = new Map<string, string>();
  for (const column of columns) {
    const name = plainLetters(column);
    if (!plain.has(name) && !mapping.has(column)) plain.set(name, column);
  }
  for (const target of TARGETS) {
    if ([...mapping.values()].includes(target)) continue;
    const column = NAMES[target].map((name) => plain.get(name)).find((one) => one !== undefined);
    if (column !== undefined) mapping.set(column, target);
  }
  return Object.fromEntries(columns.flatMap((column) => pairOf(column, mapping.get(column))));
}

function pairOf(column: string, target: MappingTarget | undefined): [string, MappingTarget][] {
  return target === undefined ? [] : [[column, target]];
}

const STATUS_NAMES: ReadonlySet<string> = new Set(NAMES.subscription_status);

/** Names whose meaning is kept. */
const MOST_KNOWN_NAMES = 5_000;
const known = new LRUCache<string, boolean>({ max: MOST_KNOWN_NAMES });

/** Whether a field is by its name one of those that are suggested for the status. */
export function isStatusName(name: string): boolean {
  let is = known.get(name);
  if (is === undefined) known.set(name, (is = STATUS_NAMES.has(plainLetters(name))));
  return is;
}

/** `E-Mail Adresse` is emailadresse, `Prénom` is prenom. */
function plainLetters(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
