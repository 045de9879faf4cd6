/** Runs all spam rules over a rendered message (section 4.7: the spam check), and reports their total score. */
import { checkCharacters } from '../checks/characters.js';
import { checkLinkAddresses } from '../checks/link-addresses.js';
import { checkLinkWords } from '../checks/link-words.js';
import type { RuleFinding } from '../findings/finding.js';
import { checkLinks } from '../checks/links.js';
import { checkMessageText } from '../checks/message-text.js';
import { checkSubject } from '../checks/subject.js';
import { senderNameFindings } from './sender-names.js';
import type { SpamFacts } from './spam-facts.js';
import { scoreFindings, spamScore } from './spam-score.js';
import { subjectWordFindings } from './subject-words.js';
import { suspectLinkFindings } from './suspect-links.js';
import { suspectLookFindings } from './suspect-looks.js';
import { textVersionFindings } from './text-version.js';
import { wordingFindings } from './wording.js';

/** Findings whose positions are offsets in the rendered HTML. */
export function spamFindings(facts: SpamFacts): RuleFinding[] {
  const findings = [
    ...subjectWordFindings(facts.subject),
    ...wordingFindings(facts),
    ...textVersionFindings(facts),
    ...senderNameFindings(facts.sender),
    ...suspectLookFindings(facts),
    ...suspectLinkFindings(facts),
  ];
  return [...findings, ...scoreFindings(spamScore([...findings, ...foundElsewhere(facts)]))];
}

/** Findings of the content check that filters count too. */
function foundElsewhere({ subject, email, text }: SpamFacts): RuleFinding[] {
  return [
    ...checkSubject(subject),
    ...(email
      ? [
          ...checkLinks(email),
          ...checkLinkAddresses(email),
          ...checkLinkWords(email),
          ...checkCharacters(email),
          ...checkMessageText(email, text),
        ]
      : []),
  ];
}
