/** The input of a campaign's A/B test, section 4.5, shared by REST and GraphQL. */
import { depthOf, isStorableJson, type JsonObject } from '../../../kernel/json.js';
import { isEventName } from '../../../kernel/event-name.js';
import { blankProblem } from '../../../platform/input/checks.js';
import { Json, Nested, OneOf, Text, Uuid, Integer } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import type { JointFlaw } from '../../../platform/input/input-table.js';
import { NestedList } from '../../../platform/input/variants.js';
import { MAX_SENDER_NAME_LENGTH } from '../../workspaces/domain/workspace.js';
import { AB_METRICS, type AbMetric, type AbTest } from '../domain/ab-test.js';
import { LONGEST_NAME, LONGEST_SUBJECT } from '../domain/campaign.js';

const SEND_WINNER = ['auto', 'manual'] as const;
const UNSET = { optional: true, nullable: true } as const;
const MAX_FILTER_DEPTH = 10;

function filtersProblem(filters: JsonObject): string | undefined {
  if (depthOf(filters, MAX_FILTER_DEPTH) > MAX_FILTER_DEPTH)
    return `must not be nested deeper than ${MAX_FILTER_DEPTH}`;
  return isStorableJson(JSON.stringify(filters))
    ? undefined
    : 'must not contain NUL characters or unpaired surrogates';
}

@Input({ rest: 'AbVariantFields', graphql: 'AbVariantInput' })
export class AbVariantInput {
  @Text({ min: 1, max: LONGEST_NAME, check: blankProblem, example: 'A' }) name: string;
  @Text({ ...UNSET, max: LONGEST_SUBJECT, description: 'Defaults to the campaign’s value.' })
  subject?: string | null;
  @Uuid({ ...UNSET, description: 'Defaults to the campaign’s value.' }) templateId?: string | null;
  @Text({ ...UNSET, max: MAX_SENDER_NAME_LENGTH, description: 'Defaults to the campaign’s value.' })
  senderName?: string | null;
}

@Input({ rest: 'AbGoalFields', graphql: 'AbGoalInput' })
export class AbGoalInput {
  @Text({
    check: (text) => (isEventName(text) ? undefined : 'is no event name'),
    message: 'must be an event name in lower snake case, such as order_placed',
    example: 'order_placed',
  })
  eventName: string;

  @Json({
    optional: true,
    nullable: 'absent',
    check: filtersProblem,
    default: {},
    description: 'An event counts only if its attributes match every key and value.',
  })
  eventFilters?: JsonObject;

  @Integer({ min: 1, max: 2_160, example: 24, description: 'Number of hours after the message is sent.' })
  windowHours: number;
}

/** Reports combinations of fields that are invalid although each field is valid. */
function flawsOf({ variants, metric, goal }: AbTestInput): JointFlaw[] {
  const flaws: JointFlaw[] = [];
  if (new Set(variants.map(({ name }) => name)).size < variants.length)
    flaws.push({ member: 'variants', message: 'must have different names' });
  if (metric === 'conversion_rate' && !goal)
    flaws.push({ member: 'goal', message: 'is required for conversion_rate' });
  return flaws;
}

@Input(
  { rest: 'AbTestFields', graphql: 'AbTestInput' },
  { together: (input) => flawsOf(input as AbTestInput) },
)
export class AbTestInput {
  @NestedList(
    AbVariantInput,
    { least: 2, most: 5 },
    {
      description: '2 to 5 variants with different names.',
      example: [{ name: 'A' }, { name: 'B', subject: 'News' }],
    },
  )
  variants: readonly AbVariantInput[];

  @Integer({
    optional: true,
    nullable: 'absent',
    min: 1,
    max: 100,
    default: 20,
    description: 'Percentage of the audience that takes part in the test.',
  })
  testPercentage?: number;

  @OneOf(AB_METRICS, {
    ...{ optional: true, nullable: 'absent', default: 'open_rate' },
    description: 'open_rate, click_rate or conversion_rate.',
  })
  metric?: AbMetric;

  @Nested(AbGoalInput, { ...UNSET, description: 'Required for conversion_rate.' }) goal?: AbGoalInput | null;

  @Integer({ optional: true, nullable: 'absent', min: 1, max: 168, default: 4 }) durationHours?: number;

  @OneOf(SEND_WINNER, {
    ...{ optional: true, nullable: 'absent', default: 'auto' },
    description: 'auto or manual.',
  })
  sendWinner?: 'auto' | 'manual';

  @Integer({
    optional: true,
    nullable: 'absent',
    min: 0,
    max: 20,
    default: 0,
    description:
      'Percentage of the audience that receives nothing and serves as the control group for conversions.',
  })
  holdoutPercentage?: number;
}

/** Returns the requested test, with defaults for absent fields. */
export function abTestOf(input: AbTestInput): AbTest {
  return {
    variants: input.variants.map(({ name, subject, templateId, senderName }) => ({
      name,
      subject: subject ?? null,
      templateId: templateId ?? null,
      senderName: senderName ?? null,
    })),
    testPercentage: input.testPercentage ?? 20,
    metric: input.metric ?? 'open_rate',
    goal: input.goal ? { ...input.goal, eventFilters: input.goal.eventFilters ?? {} } : null,
    durationHours: input.durationHours ?? 4,
    sendWinner: input.sendWinner ?? 'auto',
    holdoutPercentage: input.holdoutPercentage ?? 0,
  };
}
