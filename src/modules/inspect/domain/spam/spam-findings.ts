/** Runs all spam rules over a rendered message (section 4.7: the spam check), and reports their total score. */
import { checkCharacters } from '../checks/characters.js';
import { checkLinkAddresses } from '../checks/link-addresses.js';
import { checkLinkTexts } from '../checks/link-texts.js';
import type { RuleFinding } from '../findings/finding.js';
import { checkLinks } from '../checks/links.js';
import { checkMessageText } from '../checks/message-text.js';
import { checkSubject } from '../checks/subject.js';
import { senderNameFindings } from './sender-names.js';
import type { SpamInput } from './spam-input.js';
import { scoreFindings, spamScore } from './spam-score.js';
import { subjectWordingFindings } from './subject-wording.js';
import { suspectLinkFindings } from './suspect-links.js';
import { suspectAppearanceFindings } from './suspect-appearance.js';
import { textVersionFindings } from './text-version.js';
import { wordingFindings } from './wording.js';

/** Findings whose positions are offsets in the rendered HTML. */
export function spamFindings(input: SpamInput): RuleFinding[] {
  const findings = [
    ...subjectWordingFindings(input.subject),
    ...wordingFindings(input),
    ...textVersionFindings(input),
    ...senderNameFindings(input.sender),
    ...suspectAppearanceFindings(input),
    ...suspectLinkFindings(input),
  ];
  return [...findings, ...scoreFindings(spamScore([...findings, ...foundElsewhere(input)]))];
}

/** Findings of the content check that filters count too. */
function foundElsewhere({ subject, email, text }: SpamInput): RuleFinding[] {
  return [
    ...checkSubject(subject),
    ...(email
      ? [
          ...checkLinks(email),
          ...checkLinkAddresses(email),
          ...checkLinkTexts(email),
          ...checkCharacters(email),
          ...checkMessageText(email, text),
        ]
      : []),
  ];
}
