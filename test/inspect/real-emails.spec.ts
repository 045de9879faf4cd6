/**
 * Runs the content check on real emails that frameworks and products publish under free licences
 * (emails/SOURCES.md), and compares the findings with reviewed ones. No critical finding is a false alarm. After a
 * change of the rules, `UPDATE_EXPECTED=1` writes the current findings; review them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { textOf } from '../../src/modules/templates/domain/new-template.js';
import { analyse } from '../../src/modules/inspect/domain/analysis/analyse.js';
import { storedFindings } from '../../src/modules/inspect/domain/findings/stored-finding.js';

const EMAILS = new URL('emails/', import.meta.url);
const EXPECTED = new URL('expected.json', EMAILS);
/** Codes by file, each with the lines of its findings; 0 is a finding without a line. */
type Found = Readonly<Record<string, readonly number[]>>;

const files = readdirSync(EMAILS).filter((name) => name.endsWith('.html'));
const isUpdate = process.env['UPDATE_EXPECTED'] === '1';
const expected = (isUpdate ? {} : JSON.parse(readFileSync(EXPECTED, 'utf8'))) as Record<string, Found>;

function found(file: string): Found {
  const bodyHtml = readFileSync(new URL(file, EMAILS), 'utf8');
  const content = { subject: 'What is new this week', bodyHtml, templateLanguage: null };
  const { message, findings } = analyse({
    content: { ...content, bodyText: textOf(content) },
    preheader: null,
    channel: 'email',
    allowedHosts: [],
    sender: {
      fromEmail: 'news@acme.com',
      replyTo: undefined,
      companyComplete: true,
      live: true,
      sharedDomain: 'send.acme.com',
      isOwnDomain: true,
    },
    sample: null,
    now: new Date('2026-05-02T09:30:00Z'),
  });
  expect(message).not.toBeNull();
  const lines: Record<string, number[]> = {};
  for (const { code, line } of storedFindings(findings, bodyHtml).findings)
    (lines[code] ??= []).push(line ?? 0);
  return Object.fromEntries(Object.entries(lines).sort(([a], [b]) => a.localeCompare(b)));
}

/** Formats one line per email, so that a diff shows which one changed. */
function oneLineEach(all: Readonly<Record<string, Found>>): string {
  const lines = Object.entries(all).map(
    ([file, codes]) => `${JSON.stringify(file)}: ${JSON.stringify(codes)}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

test('there are twenty of them', () => {
  expect(files).toHaveLength(20);
});

test.each(files)('%s', (file) => {
  const now = found(file);
  if (isUpdate) expected[file] = now;
  expect(now).toEqual(expected[file]);
});

afterAll(() => {
  if (isUpdate) writeFileSync(EXPECTED, oneLineEach(expected));
});
