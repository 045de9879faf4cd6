import type { RuleFinding } from './finding.js';
import { deduplicatedFindings } from './deduplicated-findings.js';

const of = (message: string, at: number | null): RuleFinding => ({ rule: 'link_private', message, at });

test('what two checks say of one element is told by the first', () => {
  const reported = deduplicatedFindings([
    [of('static', 4), of('twice', 4)],
    [of('fetched', 4), of('other', 9)],
    [of('late', 9)],
  ]);
  expect(reported.map(({ message }) => message)).toEqual(['static', 'twice', 'other']);
});

test('what is of the whole message stays', () => {
  expect(deduplicatedFindings([[of('a', null)], [of('b', null)]])).toHaveLength(2);
});
