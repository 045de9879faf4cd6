/**
 * The modules import each other as planned, and the rules enforce the plan. The test plants a violation of every
 * import rule and shows that the rule catches it and allows everything else.
 */
import { cruise, type ImportTable, TABLES, type Verdict } from './cruise.js';
import { type Plan, PlantedHouse } from './planted-house.js';
import { wrongWays } from './layers.js';

const { MODULES: BUILT, PLANNED, LANGUAGE, PLATFORM } = TABLES;
const MODULES = [...new Set([...Object.keys(BUILT), ...Object.keys(PLANNED)])];
const TABLE: ImportTable = Object.fromEntries(
  MODULES.map((name) => [name, [...(BUILT[name] ?? []), ...(PLANNED[name] ?? [])]]),
);

const LANGUAGE_ROOMS = Object.keys(LANGUAGE);
const inRoom = (room: string): string => `src/language/${room}/thing.ts`;

const PLATFORM_ROOMS = Object.keys(PLATFORM);
const inPlatform = (room: string): string => `src/platform/${room}/thing.ts`;

/** A module that may use an exported repository, and the repository. */
const SHARED_REPOSITORIES: readonly (readonly [string, string])[] = [
  ['templates', 'src/modules/events/persistence/latest-event.repository.ts'],
  ['trips', 'src/modules/flows/persistence/flow-status.repository.ts'],
  ['trips', 'src/modules/metrics/persistence/step-delta.repository.ts'],
];

/** The decorator that every handler must have. */
const MARK = 'src/modules/access/requires.decorator.ts';

/** A project that breaks no rule: each module has all its folders and imports every module that it may import. */
function lawfulHouse(): Plan {
  const plan: Record<string, readonly string[]> = {
    'ormconfig.ts': ['src/platform/database/database.ts', 'src/processes/schema.ts'],
    'src/kernel/clock.ts': ['node:crypto', 'src/kernel/duration.ts'],
    'src/kernel/duration.ts': [],
    'src/language/language.ts': ['src/language/template-language.ts', ...LANGUAGE_ROOMS.map(inRoom)],
    'src/language/template-language.ts': [],
    ...Object.fromEntries(
      Object.entries(LANGUAGE).map(([room, below]) => [
        inRoom(room),
        ['src/kernel/duration.ts', 'src/language/template-language.ts', 'html-to-text', ...below.map(inRoom)],
      ]),
    ),
    'src/platform/platform.module.ts': PLATFORM_ROOMS.map(inPlatform),
    ...Object.fromEntries(
      Object.entries(PLATFORM).map(([room, below]) => [
        inPlatform(room),
        ['src/kernel/duration.ts', ...below.map(inPlatform)],
      ]),
    ),
    'src/platform/config/config.ts': ['src/kernel/duration.ts', 'node:path'],
    'src/platform/database/database.ts': ['typeorm', 'pg'],
    'src/platform/queue/job-contract.ts': ['bullmq'],
    'src/platform/queue/queue.module.ts': ['pg', '@nestjs/bullmq', 'src/platform/queue/job-contract.ts'],
    'src/platform/http/error.filter.ts': ['fastify', 'src/platform/http/input.pipe.ts'],
    'src/platform/http/input.pipe.ts': ['src/platform/input/read-input.ts'],
    'src/platform/input/read-input.ts': ['class-validator'],
    'src/platform/input/fields.ts': ['src/platform/input/read-input.ts', '@nestjs/graphql'],
    'src/migrations/20260101000000-first.ts': [
      'type typeorm',
      'src/migrations/frozen/20260101000000-tables.ts',
    ],
    'src/migrations/frozen/20260101000000-tables.ts': ['type typeorm'],
    'src/processes/schema.ts': ['typeorm', 'src/migrations/20260101000000-first.ts'],
    'src/processes/api.main.ts': [
      'src/platform/platform.module.ts',
      'src/platform/config/config.ts',
      'src/platform/queue/queue.module.ts',
      ...MODULES.map((name) => `src/modules/${name}/${name}.api.module.ts`),
    ],
    'src/processes/worker.main.ts': ['src/processes/worker.module.ts'],
    'src/processes/worker.module.ts': ['src/processes/worker-catalogue.ts'],
    'src/processes/worker-catalogue.ts': MODULES.map((name) => `src/modules/${name}/queue/thing.work.ts`),
    [MARK]: ['@nestjs/common', 'type src/modules/access/domain/permission.ts'],
    'src/modules/access/domain/permission.ts': [],
  };
  for (const name of MODULES) {
    const room = (path: string): string => `src/modules/${name}/${path}`;
    const below = TABLE[name] ?? [];
    Object.assign(plan, {
      [room('domain/thing.ts')]: [
        'src/kernel/clock.ts',
        'src/language/language.ts',
        'node:crypto',
        'html-to-text',
        ...(name === 'access' ? [] : ['type src/modules/access/domain/permission.ts']),
        ...below.map((other) => `src/modules/${other}/domain/thing.ts`),
      ],
      [room('domain/thing.spec.ts')]: [room('domain/thing.ts'), 'fast-check'],
      [room('persistence/thing.repository.ts')]: [
        'typeorm',
        room('domain/thing.ts'),
        'src/platform/database/database.ts',
      ],
      [room('application/thing.service.ts')]: [
        room('domain/thing.ts'),
        room('persistence/thing.repository.ts'),
        'src/platform/queue/job-contract.ts',
        ...below.map((other) => `src/modules/${other}/application/thing.service.ts`),
      ],
      [room('queue/thing.work.ts')]: [
        'src/platform/queue/job-contract.ts',
        room(`${name}.module.ts`),
        room('application/thing.service.ts'),
        room('persistence/thing.repository.ts'),
      ],
      [room('input/thing.input.ts')]: ['src/platform/input/fields.ts', room('domain/thing.ts')],
      [room('http/thing.controller.ts')]: [
        '@nestjs/swagger',
        'src/platform/http/error.filter.ts',
        MARK,
        room('application/thing.service.ts'),
        room('input/thing.input.ts'),
      ],
      [room('graphql/thing.resolver.ts')]: [
        '@nestjs/graphql',
        'type src/modules/access/domain/permission.ts',
        room('application/thing.service.ts'),
        room('input/thing.input.ts'),
      ],
      [room(`${name}.module.ts`)]: ['@nestjs/typeorm', room('application/thing.service.ts')],
      [room(`${name}.api.module.ts`)]: [
        room(`${name}.module.ts`),
        room('http/thing.controller.ts'),
        room('graphql/thing.resolver.ts'),
      ],
    });
  }
  // Repositories that their modules export.
  for (const [user, shared] of SHARED_REPOSITORIES) {
    const file = `src/modules/${user}/application/shared-repository.service.ts`;
    plan[shared] = [];
    plan[file] = [...(plan[file] ?? []), shared];
    plan[`src/modules/${user}/${user}.module.ts`] = [
      ...(plan[`src/modules/${user}/${user}.module.ts`] ?? []),
      file,
    ];
  }
  return plan;
}

/** Rule → imports that break it, as `importing file > imported`. */
const PLANTED: Readonly<Record<string, readonly string[]>> = {
  'no-circle': ['src/kernel/duration.ts > type src/kernel/clock.ts'],
  'no-unresolvable': ['src/platform/config/config.ts > src/platform/config/missing.ts'],
  'no-dev-dependency': ['src/platform/http/error.filter.ts > fast-check'],
  'no-barrel': ['src/processes/api.main.ts > src/platform/http/index.ts'],
  'no-nameless-folder': [
    'src/processes/api.main.ts > src/platform/utils/text.ts',
    'src/modules/flows/application/thing.service.ts > src/modules/flows/application/helpers/text.ts',
  ],
  'no-orphan': ['src/modules/flows/application/forgotten.service.ts > src/modules/flows/domain/thing.ts'],
  'product-without-tests': ['src/modules/flows/application/thing.service.ts > test/support/clock.ts'],
  'kernel-alone': [
    'src/kernel/clock.ts > src/platform/config/config.ts',
    'src/kernel/duration.ts > @nestjs/common',
    'src/kernel/duration.ts > node:fs',
  ],
  'language-alone': [
    'src/language/nlt/thing.ts > @nestjs/common',
    'src/language/reading/thing.ts > node:fs',
    'src/language/reading/thing.ts > type src/modules/flows/domain/thing.ts',
    'src/language/nlt/thing.ts > src/platform/config/config.ts',
  ],
  'language-by-its-entry': [
    'src/modules/flows/domain/thing.ts > src/language/nlt/thing.ts',
    'src/modules/flows/application/thing.service.ts > type src/language/template-language.ts',
    'src/platform/http/error.filter.ts > src/language/reading/thing.ts',
  ],
  'language-of-its-rooms': ['src/language/surprises/thing.ts > src/kernel/clock.ts'],
  ...Object.fromEntries(
    LANGUAGE_ROOMS.map((room) => [
      `language-downhill-${room}`,
      LANGUAGE_ROOMS.filter((other) => other !== room && !LANGUAGE[room]?.includes(other)).map(
        (other) => `src/language/${room}/uphill.ts > type ${inRoom(other)}`,
      ),
    ]),
  ),
  'domain-pure': [
    'src/modules/flows/domain/thing.ts > @nestjs/common',
    'src/modules/flows/domain/thing.ts > type pino',
    'src/modules/flows/domain/thing.ts > node:fs',
  ],
  'modules-of-the-table': ['src/modules/surprises/application/surprise.service.ts > src/kernel/clock.ts'],
  'uses-not-repositories': [
    'src/modules/trips/application/thing.service.ts > src/modules/contacts/persistence/thing.repository.ts',
    'src/modules/trips/http/thing.controller.ts > type src/modules/events/persistence/thing.repository.ts',
  ],
  'processes-use-no-repositories': [
    'src/processes/worker.module.ts > src/modules/events/persistence/thing.repository.ts',
  ],
  'contacts-stored-in-one-place': [
    'src/modules/contacts/application/thing.service.ts > src/modules/contacts/persistence/contact-writes.repository.ts',
  ],
  'platform-below-modules': [
    'src/platform/http/error.filter.ts > type src/modules/flows/domain/thing.ts',
    'src/platform/http/error.filter.ts > src/processes/schema.ts',
  ],
  'platform-of-its-rooms': ['src/platform/surprises/thing.ts > src/kernel/clock.ts'],
  ...Object.fromEntries(
    PLATFORM_ROOMS.map((room) => [
      `platform-downhill-${room}`,
      [
        `src/platform/${room}/uphill.ts > src/platform/platform.module.ts`,
        ...PLATFORM_ROOMS.filter((other) => other !== room && !PLATFORM[room]?.includes(other)).map(
          (other) => `src/platform/${room}/uphill.ts > type ${inPlatform(other)}`,
        ),
      ],
    ]),
  ),
  'migrations-frozen': [
    'src/migrations/20260101000000-first.ts > src/platform/config/config.ts',
    'src/migrations/20260101000000-first.ts > type src/kernel/clock.ts',
    'src/migrations/20260101000000-first.ts > node:fs',
    'src/migrations/20260101000000-first.ts > src/migrations/20260102000000-second.ts',
    'src/migrations/frozen/20260101000000-tables.ts > src/platform/config/config.ts',
  ],
  'processes-on-top': ['src/modules/flows/application/thing.service.ts > src/processes/schema.ts'],
  'sql-in-persistence': [
    'src/modules/flows/application/thing.service.ts > typeorm',
    'src/modules/flows/application/thing.service.ts > type pg',
    'src/modules/flows/http/thing.controller.ts > typeorm',
    'src/platform/http/error.filter.ts > pg',
  ],
  'typeorm-apart-from-queue': ['src/platform/queue/job-contract.ts > typeorm'],
  'queue-behind-platform': [
    'src/modules/flows/application/thing.service.ts > bullmq',
    'src/modules/flows/application/thing.service.ts > @nestjs/bullmq',
    'src/modules/flows/queue/thing.work.ts > @nestjs/bullmq',
    'src/modules/flows/flows.module.ts > @nestjs/bullmq',
  ],
  'services-without-faces': [
    'src/modules/flows/application/thing.service.ts > src/modules/flows/http/thing.presenter.ts',
    'src/modules/flows/persistence/thing.repository.ts > type src/modules/flows/graphql/thing.type.ts',
    'src/modules/flows/application/thing.service.ts > src/platform/http/error.filter.ts',
    'src/modules/flows/application/thing.service.ts > src/platform/answers/thing.ts',
    'src/modules/flows/queue/thing.work.ts > @nestjs/graphql',
    'src/modules/flows/application/thing.service.ts > src/modules/flows/input/thing.input.ts',
    'src/modules/flows/domain/thing.ts > src/platform/input/fields.ts',
  ],
  'input-below-faces': [
    'src/modules/flows/input/thing.input.ts > src/modules/flows/http/thing.presenter.ts',
    'src/modules/flows/input/thing.input.ts > src/modules/flows/application/thing.service.ts',
    'src/modules/flows/input/thing.input.ts > src/platform/graphql/connection.ts',
    'src/modules/flows/input/thing.input.ts > @nestjs/graphql',
  ],
  'input-in-its-room': [
    'src/modules/flows/http/thing.controller.ts > src/platform/input/fields.ts',
    'src/modules/flows/graphql/thing.type.ts > src/platform/input/input-class.ts',
    'src/processes/api.main.ts > src/platform/input/read-input.ts',
    'src/platform/http/error.filter.ts > class-validator',
  ],
  'domain-and-storage-below-services': [
    'src/modules/flows/persistence/thing.repository.ts > src/modules/flows/application/other.service.ts',
    'src/modules/flows/persistence/thing.repository.ts > src/modules/flows/queue/thing.work.ts',
  ],
  'rest-apart-from-graphql': [
    'src/modules/flows/http/thing.controller.ts > type src/modules/flows/graphql/thing.type.ts',
    'src/modules/flows/http/thing.controller.ts > @nestjs/graphql',
  ],
  'graphql-apart-from-rest': [
    'src/modules/flows/graphql/thing.resolver.ts > src/modules/flows/http/thing.presenter.ts',
    'src/modules/flows/graphql/thing.resolver.ts > @nestjs/swagger',
  ],
  'work-for-the-catalogue-alone': [
    'src/modules/flows/application/thing.service.ts > src/modules/flows/queue/thing.work.ts',
    'src/modules/flows/flows.module.ts > src/modules/flows/queue/thing.work.ts',
    'src/processes/worker.module.ts > src/modules/flows/queue/thing.work.ts',
  ],
  'worker-without-street-door': [
    'src/processes/worker.module.ts > src/modules/flows/flows.api.module.ts',
    'src/modules/trips/queue/thing.work.ts > src/modules/trips/http/thing.controller.ts',
    'src/modules/inspect/inspect.module.ts > src/modules/inspect/graphql/thing.resolver.ts',
  ],
  ...Object.fromEntries(
    MODULES.flatMap((name) => {
      const above = MODULES.filter((other) => other !== name && !TABLE[name]?.includes(other));
      const plant = (room: string, to: (other: string) => string): string[] =>
        above
          // For `access` a violation is planted only in `application/`: elsewhere every module may import it.
          .filter((other) => other !== 'access' || room.startsWith('application/'))
          .map((other) => `src/modules/${name}/${room} > ${to(other)}`);
      return [
        [
          `modules-downhill-${name}`,
          plant(
            'application/uphill.service.ts',
            (other) => `src/modules/${other}/application/thing.service.ts`,
          ).concat(
            // The decorators are only for REST and GraphQL handlers; auth reads them.
            TABLE[name]?.includes('access') || name === 'access'
              ? []
              : `src/modules/${name}/application/thing.service.ts > ${MARK}`,
          ),
        ],
        [
          `faces-downhill-${name}`,
          plant('http/uphill.controller.ts', (other) => `src/modules/${other}/application/thing.service.ts`),
        ],
        [
          `domain-downhill-${name}`,
          [
            ...plant('domain/uphill.ts', (other) => `type src/modules/${other}/domain/thing.ts`),
            `src/modules/${name}/domain/uphill.ts > src/platform/config/config.ts`,
            `src/modules/${name}/domain/uphill.ts > src/modules/${name}/application/thing.service.ts`,
          ],
        ],
      ];
    }),
  ),
};

/** The rules that report a file instead of an import. */
const ABOUT_FILES = ['no-orphan', 'worker-without-street-door', 'no-circle'];

const split = (planted: string): [string, string] => {
  const [from = '', to = ''] = planted.split(' > ');
  return [from, to.replace(/^type /, '')];
};

function planted(): Plan {
  const plan: Record<string, string[]> = { 'test/support/clock.ts': [] };
  for (const [from, to] of Object.values(PLANTED)
    .flat()
    .map((each) => each.split(' > '))) {
    if (from === undefined || to === undefined) continue;
    (plan[from] ??= []).push(to);
    const file = to.replace(/^type /, '');
    if (file.endsWith('.ts') && !file.includes('/missing')) plan[file] ??= [];
  }
  return plan;
}

async function verdictOn(...plans: readonly Plan[]): Promise<Verdict> {
  const house = new PlantedHouse(...plans);
  try {
    return await cruise(house.folder);
  } finally {
    house.remove();
  }
}

describe('the product', () => {
  let verdict: Verdict;
  beforeAll(async () => {
    verdict = await cruise('.');
  });

  test('breaks no import rule', () => {
    expect(verdict.violations).toEqual([]);
  });

  test('has no import that runs up, and no circle of modules', () => {
    expect(wrongWays(verdict.imports)).toEqual([]);
  });

  /** Imports between the folders of a layer. */
  const edgesWithin = (storey: string): readonly string[] => {
    const roomOf = new RegExp(`^src/${storey}/([^/]+)/`);
    const edges = verdict.imports
      .filter(({ from }) => !from.endsWith('.spec.ts'))
      .map(({ from, to }) => [roomOf.exec(from)?.[1], roomOf.exec(to)?.[1]])
      .filter(([from, to]) => from !== undefined && to !== undefined && from !== to);
    return [...new Set(edges.map((edge) => edge.join(' > ')))];
  };
  const edgesOf = (table: ImportTable): string[] =>
    Object.entries(table).flatMap(([from, below]) => below.map((to) => `${from} > ${to}`));

  test.each([
    ['modules', BUILT],
    ['language', LANGUAGE],
    ['platform', PLATFORM],
  ])('uses every edge of its %s that it may', (storey, table) => {
    const used = edgesWithin(storey);
    expect(edgesOf(table).filter((edge) => !used.includes(edge))).toEqual([]);
  });

  test('counts as planned only what is not built', () => {
    const used = edgesWithin('modules');
    expect(edgesOf(PLANNED).filter((edge) => used.includes(edge))).toEqual([]);
  });
});

test.each([
  ['up', [['src/kernel/a.ts', 'src/platform/http/b.ts']], ['src/kernel/a.ts > src/platform/http']],
  [
    'in a circle',
    [
      ['src/modules/a/domain/x.ts', 'src/modules/b/domain/x.ts'],
      ['src/modules/b/http/y.ts', 'src/modules/c/http/y.ts'],
      ['src/modules/c/domain/z.ts', 'src/modules/a/domain/z.ts'],
    ],
    ['src/modules/a > src/modules/b', 'src/modules/b > src/modules/c', 'src/modules/c > src/modules/a'],
  ],
  ['down', [['src/platform/http/b.ts', 'src/kernel/a.ts']], []],
  ['down from a test', [['src/kernel/a.spec.ts', 'src/platform/http/b.ts']], []],
])('an import %s is seen for what it is', (_, imports, expected) => {
  expect(wrongWays(imports.map(([from = '', to = '']) => ({ from, to })))).toEqual(expected);
});

test('a lawful house passes', async () => {
  expect((await verdictOn(lawfulHouse())).violations).toEqual([]);
});

describe('planted violations', () => {
  let verdict: Verdict;
  beforeAll(async () => {
    verdict = await verdictOn(lawfulHouse(), planted());
  });

  test('there is one for every rule', () => {
    expect(Object.keys(PLANTED).sort()).toEqual([...verdict.rules].sort());
  });

  test.each(Object.entries(PLANTED))('%s', (rule, imports) => {
    const found = verdict.violations.filter((violation) => violation.rule === rule);
    const missed = imports.filter((each) => {
      const [from, to] = split(each);
      if (ABOUT_FILES.includes(rule)) return !found.some((one) => [one.from, one.to].includes(from));
      return !found.some((one) => one.from === from && reaches(one.to, to));
    });
    expect(missed).toEqual([]);
  });
});

/**
 * Whether a reported import is the expected one. The cruiser reports packages by their resolved file, and
 * unresolved imports as written.
 */
function reaches(found: string, wanted: string): boolean {
  if (wanted.includes('/missing')) return found.endsWith('/missing.js');
  if (wanted.startsWith('node:')) return found === wanted.slice('node:'.length) || found === wanted;
  return (
    found === wanted ||
    found.includes(`node_modules/${wanted}/`) ||
    found.includes(`node_modules/@types/${wanted}/`)
  );
}
