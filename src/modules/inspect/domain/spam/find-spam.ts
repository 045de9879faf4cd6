/** The spam rules as a task for a thread: from a rendered message to findings at their positions in the stored body. */
import type { RenderedMessage, SourcePiece } from '../analysis/analysis.js';
import { checkCharacters } from '../checks/characters.js';
import { checkLinkAddresses } from '../checks/link-addresses.js';
import { checkLinkTexts } from '../checks/link-texts.js';
import { checkLinks } from '../checks/links.js';
import { checkMessageText } from '../checks/message-text.js';
import { checkSubject } from '../checks/subject.js';
import { boundedFindings, type BoundedFindings } from '../findings/bounded-findings.js';
import type { RuleFinding } from '../findings/finding.js';
import { sourceOffset } from '../analysis/source-offset.js';
import { senderNameFindings } from './sender-names.js';
import { spamInputOf, type SpamSender, type SpamInput } from './spam-input.js';
import { scoreFindings, spamScore } from './spam-score.js';
import { subjectWordingFindings } from './subject-wording.js';
import { suspectAppearanceFindings } from './suspect-appearance.js';
import { suspectLinkFindings } from './suspect-links.js';
import { textVersionFindings } from './text-version.js';
import { wordingFindings } from './wording.js';

export interface SpamTaskInput {
  readonly message: RenderedMessage;
  readonly pieces: readonly SourcePiece[];
  readonly sender: SpamSender;
}

export function findSpam({ message, pieces, sender }: SpamTaskInput): BoundedFindings {
  const { findings, omitted } = boundedFindings(spamFindings(spamInputOf(message, sender)));
  return { findings: findings.map((finding) => atSource(finding, pieces)), omitted };
}

/** The finding with its position in the stored body. */
function atSource(finding: RuleFinding, pieces: readonly SourcePiece[]): RuleFinding {
  const { at, until, ...rest } = finding;
  if (typeof at !== 'number') return finding;
  const start = sourceOffset(pieces, at);
  if (until === undefined) return { ...rest, at: start };
  return { ...rest, at: start, until: Math.max(start, sourceOffset(pieces, until - 1) + 1) };
}

/** The findings of all spam rules, and their total score. Positions are offsets in the rendered HTML. */
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
