/**
 * Suggests a mapping of columns by their names in the common languages and services. Five names map automatically
 * (section 4.9), and so does subscription_status, since opt-outs come first. All others are suggestions that a job's
 * `field_mapping` may adopt.
 */
import type { MappingTarget } from '../import-job.js';
import { type FieldSubject, subjectOf } from '../opt-out-names.js';

const AUTOMATIC: readonly MappingTarget[] = [
  ...(['external_id', 'email', 'first_name', 'last_name', 'phone', 'subscription_status'] as const),
];

/** Reduced to plain letters and digits; the most likely names first. */
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

/** What maps automatically: the five names of the contract and the status, case-insensitive. */
export function automaticMapping(columns: readonly string[]): Readonly<Record<string, MappingTarget>> {
  const pairs = AUTOMATIC.flatMap((target) => {
    const column =
      columns.find((name) => name === target) ?? columns.find((name) => name.toLowerCase() === target);
    return column === undefined ? [] : [[column, target] as const];
  });
  return Object.fromEntries(pairs);
}

/** The automatic mapping and further likely ones; each target at most once. */
export function suggestedMapping(columns: readonly string[]): Readonly<Record<string, MappingTarget>> {
  const mapping = new Map<string, MappingTarget>(Object.entries(automaticMapping(columns)));
  const plain = new Map<string, string>();
  for (const column of columns) {
    const name = plainLetters(column);
    if (!plain.has(name) && !mapping.has(column)) plain.set(name, column);
  }
  for (const target of TARGETS) {
    if ([...mapping.values()].includes(target)) continue;
    const likely = NAMES[target].map((name) => plain.get(name)).find((one) => one !== undefined);
    const column =
      likely ?? (target === 'subscription_status' ? statusColumn(unmapped(columns, mapping)) : undefined);
    if (column !== undefined) mapping.set(column, target);
  }
  return Object.fromEntries(columns.flatMap((column) => pairOf(column, mapping.get(column))));
}

function unmapped(
  columns: readonly string[],
  mapping: ReadonlyMap<string, MappingTarget>,
): readonly string[] {
  return columns.filter((column) => !mapping.has(column));
}

function pairOf(column: string, target: MappingTarget | undefined): [string, MappingTarget][] {
  return target === undefined ? [] : [[column, target]];
}

/**
 * The status column if no column has one of the common names: one named for an opt-out, otherwise one named for
 * consent. A plain `status` may mean anything and is not suggested: if it were mapped, more of its values would be
 * interpreted than if it is not.
 */
function statusColumn(columns: Iterable<string>): string | undefined {
  const subjects = [...columns].map((column) => [column, subjectOf(column)] as const);
  const named = (...accepted: readonly FieldSubject[]): string | undefined =>
    subjects.find(([, subject]) => subject !== null && accepted.includes(subject))?.[0];
  return named('mail_status', 'unsubscribed') ?? named('bounced', 'complained') ?? named('consent');
}

/** Reduces `E-Mail Adresse` to emailadresse, and `Prénom` to prenom. */
function plainLetters(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
