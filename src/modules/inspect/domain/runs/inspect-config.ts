/** The settings of quality analysis of a workspace (section 4.7: config). */
import { RENDER_CLIENTS, type RenderClient } from '../rendering/render-client.js';
import { CATEGORY_LETTERS } from '../rules/rule.js';

export const BLOCKINGS = ['off', 'warn', 'block'] as const;
export type Blocking = (typeof BLOCKINGS)[number];

export const SPAM_PROVIDERS = ['builtin', 'spamassassin'] as const;
export type SpamProvider = (typeof SPAM_PROVIDERS)[number];

export interface InspectConfig {
  readonly renderClients: readonly RenderClient[];
  readonly autoRunOnSave: boolean;
  readonly blocking: Blocking;
  readonly spamProvider: SpamProvider;
  /** Codes that are not reported. */
  readonly snoozedCodes: readonly string[];
}

export const DEFAULT_CONFIG: InspectConfig = {
  renderClients: RENDER_CLIENTS,
  autoRunOnSave: false,
  blocking: 'warn',
  spamProvider: 'builtin',
  snoozedCodes: [],
};

/** A change of the settings: fields that are left out stay. */
export type ConfigChange = { readonly [Name in keyof InspectConfig]?: InspectConfig[Name] | undefined };

/** The config after a change; duplicate clients and codes are removed. */
export function changedConfig(config: InspectConfig, change: ConfigChange): InspectConfig {
  const named = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const changed: InspectConfig = { ...config, ...named };
  return {
    ...changed,
    renderClients: RENDER_CLIENTS.filter((client) => changed.renderClients.includes(client)),
    snoozedCodes: [...new Set(changed.snoozedCodes)].sort(),
  };
}

/** Maximum number of codes that a workspace may ignore: more than there are. */
export const MAX_SNOOZED_CODES = 500;

const LETTERS = Object.values(CATEGORY_LETTERS).join('|');
const CODE = new RegExp(`^(?:${LETTERS})\\d{3}$`);

/** Whether a text has the form of a code, even if no rule has that code yet. */
export function isFindingCode(text: string): boolean {
  return CODE.test(text);
}
