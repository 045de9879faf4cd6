/** Each fix mends its finding: examined again, the mended source has it no more. */
import { analyse } from '../analysis/analysis-work.js';
import type { RuleFinding } from '../findings/finding.js';
import type { RuleName } from '../rules/catalogue.js';
import { applyEdits } from './apply-edits.js';

const SENTENCE =
  'This is the news that you have been waiting for, with the plans and your dates from this week.';

function found(bodyHtml: string, rule: RuleName): readonly RuleFinding[] {
  const { findings } = analyse({
    content: { subject: 'News', bodyHtml, bodyText: SENTENCE, templateLanguage: null },
    preheader: null,
    channel: 'email',
    sender: {
      fromEmail: 'a@acme.com',
      replyTo: undefined,
      companyComplete: true,
      live: true,
      sharedDomain: 's.acme.com',
      isOwnDomain: true,
    },
    sample: null,
    allowedHosts: [],
    now: new Date(0),
  });
  return findings.filter((finding) => finding.rule === rule);
}

const page = (body: string): string =>
  `<!DOCTYPE html>\n<html>\n<head><title>T</title></head>\n<body class="b">\n<p>${SENTENCE}</p>${body}</body></html>`;

test.each<[RuleName, string, string]>([
  [
    'link_insecure',
    '<a class="x" href="http://acme.com/?u=1">Our plans</a>',
    '<a class="x" href="https://acme.com/?u=1">',
  ],
  ['image_insecure', '<img alt="a" src=http://acme.com/a.png>', '<img alt="a" src=https://acme.com/a.png>'],
  ['image_without_alt', '<img src="https://acme.com/summer-sale@2x.png">', '<img alt="Summer sale" src='],
  ['image_without_alt', '<img src="https://acme.com/a" width="1">', '<img alt="" src='],
  ['lang_missing', '', '<html lang="en">'],
  [
    'preheader_missing',
    '',
    '<body class="b">\n<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">This is the',
  ],
])('%s', (rule, body, expected) => {
  const source = page(body);
  const findings = found(source, rule);
  expect(findings).toHaveLength(1);
  const mended = applyEdits(source, findings[0]?.edits ?? []);
  expect(mended).toContain(expected);
  expect(found(mended, rule)).toEqual([]);
});

test.each<[RuleName, string]>([
  ['image_without_alt', '<img src="https://acme.com/9f8e7d.png">'],
  ['image_without_alt', '<img src="{{ event.picture }}">'],
])('%s is left to its author: %s', (rule, body) => {
  expect(found(page(body), rule).map(({ edits }) => edits)).toEqual([undefined]);
});
