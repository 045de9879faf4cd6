/**
 * Loads which email clients support which feature of HTML and CSS, from the data set of caniemail.com. The data has no
 * market shares, so all client families have equal weight, and within a family all its apps; only the latest tested
 * version counts.
 */
import published from 'caniemail/caniemail.json' with { type: 'json' };

export interface FeatureSupport {
  readonly title: string;
  readonly category: string;
  /** Share of client families, 0 to 1, that do not support the feature. */
  readonly unsupported: number;
  /** Share that supports it in part, 0 to 1. */
  readonly partial: number;
  /** Names of the clients without support, and of those with partial support, well-known families first. */
  readonly clientsWithout: readonly string[];
  readonly clientsWithPartial: readonly string[];
}

/** Family, then app, then tested version, to an answer that begins with y, n, a (almost) or u (unknown). */
type Stats = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

interface Feature {
  readonly slug: string;
  readonly title: string;
  readonly category: string;
  readonly stats: Stats;
}

const FAMILY_NAMES: Readonly<Record<string, string>> = published.nicenames.family;
const APP_NAMES: Readonly<Record<string, string>> = published.nicenames.platform;
const WELL_KNOWN = ['gmail', 'outlook', 'apple-mail', 'yahoo', 'samsung-email', 'thunderbird', 'aol'];

/** The support of a feature by one app of a family, in the latest tested version; undefined if unknown. */
export function answerOf(slug: string, family: string, app: string): string | undefined {
  const tests = STATS.get(slug)?.[family]?.[app];
  return tests && latest(app, tests)[0]?.answer;
}

const STATS: ReadonlyMap<string, Stats> = new Map(
  (published.data as readonly Feature[]).map(({ slug, stats }) => [slug, stats]),
);

/** Slugs of all features, as published. */
export const FEATURES: readonly string[] = [...STATS.keys()];

/** The support of each feature, by the slug of caniemail.com, such as `css-border-radius`. */
export const SUPPORT: ReadonlyMap<string, FeatureSupport> = new Map(
  (published.data as readonly Feature[]).map((feature) => [feature.slug, supportOf(feature)]),
);

function supportOf({ title, category, stats }: Feature): FeatureSupport {
  const families = Object.entries(stats)
    .map(([family, apps]) => ({
      family,
      apps: Object.entries(apps).flatMap(([app, tests]) => latest(app, tests)),
    }))
    .filter(({ apps }) => apps.length > 0)
    .sort((a, b) => popularityRank(a.family) - popularityRank(b.family));
  const share = (answer: string): number => {
    const parts = families.map(
      ({ apps }) => apps.filter((app) => app.answer === answer).length / apps.length,
    );
    return parts.reduce((sum, part) => sum + part, 0) / Math.max(1, families.length);
  };
  const clients = (answer: string): string[] =>
    families.flatMap(({ family, apps }) => {
      const names = apps.filter((app) => app.answer === answer).map(({ app }) => APP_NAMES[app] ?? app);
      const name = FAMILY_NAMES[family] ?? family;
      if (names.length === 0) return [];
      return [names.length === apps.length ? name : `${name} (${names.join(', ')})`];
    });
  return {
    title,
    category,
    unsupported: share('n'),
    partial: share('a'),
    clientsWithout: clients('n'),
    clientsWithPartial: clients('a'),
  };
}

/** The data set lists versions from the oldest to the newest. */
function latest(app: string, tests: Readonly<Record<string, string>>): { app: string; answer: string }[] {
  const answer = Object.values(tests)
    .filter((text) => !text.startsWith('u'))
    .at(-1)
    ?.charAt(0);
  return answer === undefined ? [] : [{ app, answer }];
}

function popularityRank(family: string): number {
  const index = WELL_KNOWN.indexOf(family);
  return index < 0 ? WELL_KNOWN.length : index;
}
