/**
 * Which module may import which: the rules of docs/architecture.md, as errors of `npm run lint`. The tables below
 * are the only definition. test/architecture reads the tables, and proves that each rule catches a violation and that
 * each allowed import is used.
 */

/**
 * The modules downhill that each module uses. A module that is not listed may not exist. Beneath all of them lies
 * access, whose rules each may use without being listed, and whose marks its faces may bear; auth reads the marks.
 */
export const MODULES = {
  access: [],
  audit: [],
  limits: [],
  'dead-letters': [],
  'api-keys': ['audit', 'limits'],
  workspaces: ['api-keys', 'audit', 'limits'],
  auth: ['access', 'workspaces', 'api-keys', 'limits'],
  contacts: ['limits'],
  events: ['contacts', 'dead-letters', 'workspaces', 'limits'],
  segments: ['contacts', 'events', 'dead-letters'],
  preferences: ['audit', 'contacts'],
  templates: ['contacts', 'events', 'preferences'],
  billing: ['audit', 'limits', 'dead-letters', 'workspaces'],
  domains: ['audit', 'dead-letters', 'limits'],
  imports: ['audit', 'contacts', 'limits', 'suppressions', 'workspaces'],
  inspect: ['audit', 'contacts', 'delivery', 'domains', 'limits', 'templates', 'workspaces'],
  unsubscribe: ['contacts', 'preferences', 'workspaces'],
  tracking: ['workspaces'],
  suppressions: ['contacts'],
  delivery: [
    'audit',
    'dead-letters',
    'suppressions',
    'templates',
    'contacts',
    'preferences',
    'tracking',
    'unsubscribe',
    'workspaces',
    'limits',
    'domains',
  ],
  feedback: ['delivery', 'suppressions', 'preferences', 'tracking', 'unsubscribe', 'dead-letters'],
  metrics: ['contacts', 'events', 'delivery', 'feedback', 'tracking'],
  flows: ['segments', 'templates', 'contacts', 'limits', 'inspect'],
  trips: [
    'flows',
    'segments',
    'events',
    'contacts',
    'preferences',
    'suppressions',
    'delivery',
    'feedback',
    'metrics',
    'dead-letters',
  ],
  campaigns: [
    'segments',
    'templates',
    'contacts',
    'preferences',
    'suppressions',
    'events',
    'delivery',
    'feedback',
    'inspect',
    'limits',
    'metrics',
    'dead-letters',
    'tracking',
    'workspaces',
  ],
  notices: ['workspaces', 'domains', 'delivery', 'feedback', 'campaigns', 'dead-letters'],
  usage: ['limits', 'api-keys', 'workspaces', 'contacts', 'flows', 'notices'],
  reports: [
    'campaigns',
    'contacts',
    'delivery',
    'flows',
    'metrics',
    'notices',
    'dead-letters',
    'suppressions',
    'templates',
    'trips',
    'workspaces',
  ],
  operations: [],
};

/** What is not built yet may use this. An edge moves up to MODULES with the first import that needs it. */
export const PLANNED = {};

/** Permissions, for every module. The decorators next to it are for handlers and resolvers only. */
const ACCESS = '^src/modules/access/';
const ACCESS_RULES = `${ACCESS}domain/`;

/** The rooms of the language, and the rooms that each may use. A room that is not listed may not exist. */
export const LANGUAGE = {
  nlt: [],
  jinja: ['nlt'],
  reading: ['nlt', 'jinja'],
  'plain-text': ['nlt'],
  foreign: ['nlt', 'jinja'],
};
const LANGUAGE_ENTRY = '^src/language/language\\.ts$';
const languageRooms = Object.keys(LANGUAGE);

/** The rooms of the platform, and the rooms that each uses. A room that is not listed may not exist. */
export const PLATFORM = {
  network: [],
  crypto: [],
  concurrency: [],
  telemetry: [],
  database: ['concurrency'],
  input: [],
  config: ['network'],
  logging: ['config'],
  answers: ['database'],
  threads: ['concurrency', 'logging', 'telemetry'],
  browser: ['concurrency', 'config', 'logging'],
  outbound: ['concurrency', 'config', 'network'],
  queue: ['config', 'database', 'logging', 'telemetry'],
  graphql: ['answers', 'database', 'input', 'logging'],
  output: ['graphql', 'input'],
  http: ['answers', 'config', 'graphql', 'input', 'logging', 'network', 'telemetry'],
  embedded: ['config', 'network'],
};
const platformRooms = Object.keys(PLATFORM);

/** Packages and parts of Node that compute and do nothing else. */
const PURE = [
  'node_modules/(html-to-text|parse5|css-tree|@types/css-tree|caniemail|diff|lru-cache|rfc6902|tldts|csv-parse|yauzl|@types/yauzl|handlebars|d3-scale|d3-shape|@types/d3-scale|@types/d3-shape)/',
  '^(node:)?(buffer|crypto|stream|url|zlib)$',
];

/** Repositories that their modules export. Other modules may use them like a service. */
const SHARED_REPOSITORIES = [
  'events/persistence/latest-event',
  'flows/persistence/flow-status',
  'metrics/persistence/step-delta',
];

const FACES = '^src/modules/[^/]+/(http|graphql|output)/';
const SPEC = '\\.spec\\.ts$';
const names = [...new Set([...Object.keys(MODULES), ...Object.keys(PLANNED)])];
const below = (name) => [...(MODULES[name] ?? []), ...(PLANNED[name] ?? [])];
const oneOf = (list) => `(${list.join('|')})`;
const within = (list) => (list.length > 0 ? [`^src/modules/${oneOf(list)}/`] : []);
const packages = (list) => `node_modules/${oneOf(list)}/`;

const downhill = names.flatMap((name) => [
  {
    name: `modules-downhill-${name}`,
    comment: `What ${name} may use is in the table MODULES; news that must go uphill travels through a port (docs/architecture.md).`,
    severity: 'error',
    from: { path: `^src/modules/${name}/`, pathNot: [FACES, `^src/modules/${name}/domain/`, SPEC] },
    to: { path: '^src/modules/', pathNot: [...within([name, ...below(name)]), ACCESS_RULES] },
  },
  {
    name: `faces-downhill-${name}`,
    comment: `As modules-downhill-${name}; handlers and resolvers bear the marks of access besides.`,
    severity: 'error',
    from: { path: `^src/modules/${name}/(http|graphql)/`, pathNot: SPEC },
    to: { path: '^src/modules/', pathNot: [...within([name, ...below(name)]), ACCESS] },
  },
  {
    name: `domain-downhill-${name}`,
    comment: 'A domain knows the kernel, the language, itself, and the domains of the modules below.',
    severity: 'error',
    from: { path: `^src/modules/${name}/domain/`, pathNot: SPEC },
    to: {
      path: '^src/',
      pathNot: [
        '^src/kernel/',
        LANGUAGE_ENTRY,
        ACCESS_RULES,
        `^src/modules/${oneOf([name, ...below(name)])}/domain/`,
      ],
    },
  },
]);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circle',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-dev-dependency',
      comment: 'The product runs without devDependencies.',
      severity: 'error',
      from: { path: '^src/', pathNot: SPEC },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-barrel',
      comment: 'Import the file that holds what you mean.',
      severity: 'error',
      from: {},
      to: { path: '/index\\.ts$', dependencyTypes: ['local'] },
    },
    {
      name: 'no-nameless-folder',
      comment: 'A folder is named after what it holds.',
      severity: 'error',
      from: {},
      to: { path: '/(common|shared|utils|helpers)/', dependencyTypes: ['local'] },
    },
    {
      name: 'no-orphan',
      comment: 'Every file serves a process; what only its own test uses is dead.',
      severity: 'error',
      from: { path: '^(ormconfig\\.ts$|src/.*\\.main\\.ts$)' },
      to: { path: '^src/', pathNot: [SPEC, '\\.main\\.ts$'], reachable: false },
    },
    {
      name: 'product-without-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: SPEC },
      to: { path: '^(test|bench|bin)/' },
    },
    {
      name: 'kernel-alone',
      severity: 'error',
      from: { path: '^src/kernel/', pathNot: SPEC },
      to: { pathNot: ['^src/kernel/', '^(node:)?crypto$'] },
    },
    {
      name: 'language-alone',
      comment: 'The language could be a package of its own: the kernel and what only computes, no framework.',
      severity: 'error',
      from: { path: '^src/language/', pathNot: SPEC },
      to: { pathNot: ['^src/(language|kernel)/', ...PURE] },
    },
    {
      name: 'language-by-its-entry',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/language/' },
      to: { path: '^src/language/', pathNot: LANGUAGE_ENTRY },
    },
    {
      name: 'language-of-its-rooms',
      severity: 'error',
      from: { path: '^src/language/.+/', pathNot: `^src/language/${oneOf(languageRooms)}/` },
      to: {},
    },
    ...languageRooms.map((room) => ({
      name: `language-downhill-${room}`,
      comment: `What ${room} may use is in the table LANGUAGE.`,
      severity: 'error',
      from: { path: `^src/language/${room}/`, pathNot: SPEC },
      to: { path: '^src/language/.+/', pathNot: `^src/language/${oneOf([room, ...LANGUAGE[room]])}/` },
    })),
    {
      name: 'domain-pure',
      comment:
        'No framework, no database, no input or output beneath the rules; what only computes is listed in PURE.',
      severity: 'error',
      from: { path: '^src/modules/[^/]+/domain/', pathNot: SPEC },
      to: { pathNot: ['^src/', ...PURE] },
    },
    {
      name: 'modules-of-the-table',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: within(names) },
      to: {},
    },
    ...downhill,
    {
      name: 'uses-not-repositories',
      comment:
        'A module exports services and keeps its storage to itself. SHARED_REPOSITORIES lists the exceptions.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/', pathNot: SPEC },
      to: {
        path: '^src/modules/[^/]+/persistence/',
        pathNot: ['^src/modules/$1/', `^src/modules/${oneOf(SHARED_REPOSITORIES)}\\.repository\\.ts$`],
      },
    },
    {
      name: 'processes-use-no-repositories',
      comment:
        'Processes join the services of modules. Only the schema lists entities, and only one file lists erasures.',
      severity: 'error',
      from: { path: '^src/processes/', pathNot: ['^src/processes/(schema|personal-data)\\.ts$', SPEC] },
      to: { path: '^src/modules/[^/]+/persistence/' },
    },
    {
      name: 'contacts-stored-in-one-place',
      comment:
        'Whoever listens hears of every change to a contact, since contact-store.ts alone stores them.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/modules/contacts/(application/contact-store|contacts\\.module)\\.ts$', SPEC],
      },
      to: { path: '^src/modules/contacts/persistence/contact-writes\\.repository\\.ts$' },
    },
    {
      name: 'platform-below-modules',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/(modules|processes|migrations)/' },
    },
    {
      name: 'platform-of-its-rooms',
      severity: 'error',
      from: { path: '^src/platform/.+/', pathNot: `^src/platform/${oneOf(platformRooms)}/` },
      to: {},
    },
    ...platformRooms.map((room) => ({
      name: `platform-downhill-${room}`,
      comment: `What ${room} may use is in the table PLATFORM.`,
      severity: 'error',
      from: { path: `^src/platform/${room}/`, pathNot: SPEC },
      to: { path: '^src/platform/', pathNot: `^src/platform/${oneOf([room, ...PLATFORM[room]])}/` },
    })),
    {
      name: 'migrations-frozen',
      comment:
        'A migration does for ever what it did when it landed: whatever lives on changes, so it stands on frozen files alone.',
      severity: 'error',
      from: { path: '^src/migrations/' },
      to: { pathNot: ['^src/migrations/frozen/', packages(['typeorm']), '^(node:)?(crypto|url)$'] },
    },
    {
      name: 'processes-on-top',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/processes/' },
      to: { path: '^src/processes/' },
    },
    {
      name: 'sql-in-persistence',
      comment:
        'Repositories alone speak TypeORM and SQL; the embedded server and the queue have connections of their own.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/modules/[^/]+/persistence/',
          '^src/platform/(database|queue|embedded)/',
          '^src/migrations/',
          '^src/processes/schema\\.ts$',
          '\\.(entity|module)\\.ts$',
          SPEC,
        ],
      },
      to: { path: packages(['typeorm', 'pg', '@types/pg', '@nestjs/typeorm']) },
    },
    {
      name: 'typeorm-apart-from-queue',
      severity: 'error',
      from: { path: '^src/platform/(queue|embedded)/', pathNot: ['\\.module\\.ts$', SPEC] },
      to: { path: packages(['typeorm', '@nestjs/typeorm']) },
    },
    {
      name: 'queue-behind-platform',
      comment: 'A service wakes a worker by its contract; only the platform knows BullMQ.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/platform/queue/', '^src/platform/database/migrate\\.ts$', SPEC],
      },
      to: { path: packages(['bullmq', '@nestjs/bullmq', 'ioredis']) },
    },
    {
      name: 'services-without-faces',
      comment: 'Domain, services and storage do not know who asks.',
      severity: 'error',
      from: { path: '^src/modules/[^/]+/(domain|application|persistence|queue)/', pathNot: SPEC },
      to: {
        path: [
          FACES,
          '^src/modules/[^/]+/input/',
          '^src/platform/(answers|http|graphql|input)/',
          packages(['fastify', 'graphql', '@nestjs/graphql', '@nestjs/swagger', '@nestjs/platform-fastify']),
        ],
      },
    },
    {
      name: 'input-below-faces',
      comment:
        'What callers may send is said once, for every face: of the domain, and of nothing that happens.',
      severity: 'error',
      from: { path: '^src/modules/[^/]+/input/', pathNot: SPEC },
      to: {
        path: [
          FACES,
          '^src/modules/[^/]+/(application|persistence|queue)/',
          '^src/platform/(?!input/)',
          packages(['@nestjs/.+', 'graphql', 'class-validator']),
        ],
      },
    },
    {
      name: 'input-in-its-room',
      comment:
        'What callers may send is said in a room of its own, by the decorators of the platform and no others.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/modules/[^/]+/input/', '^src/platform/(input/|http/input\\.pipe\\.ts$)', SPEC],
      },
      to: {
        path: [
          '^src/platform/input/(fields|input-class|variants|checks|read-input)\\.ts$',
          packages(['class-validator']),
        ],
      },
    },
    {
      name: 'domain-and-storage-below-services',
      severity: 'error',
      from: { path: '^src/modules/[^/]+/(domain|persistence)/', pathNot: SPEC },
      to: { path: '^src/modules/[^/]+/(application|queue)/' },
    },
    {
      name: 'rest-apart-from-graphql',
      severity: 'error',
      from: { path: '^src/modules/[^/]+/http/', pathNot: SPEC },
      to: {
        path: [
          '^src/modules/[^/]+/graphql/',
          '^src/platform/graphql/',
          packages(['@nestjs/graphql', 'graphql']),
        ],
      },
    },
    {
      name: 'graphql-apart-from-rest',
      severity: 'error',
      from: { path: '^src/modules/[^/]+/graphql/', pathNot: SPEC },
      to: { path: ['^src/modules/[^/]+/http/', packages(['@nestjs/swagger'])] },
    },
    {
      name: 'work-for-the-catalogue-alone',
      comment: 'Code that wakes a queue needs its wake-up (platform/queue/wake-ups.ts), never its work.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/modules/[^/]+/queue/', '^src/processes/worker-catalogue\\.ts$', SPEC],
      },
      to: { path: '^src/modules/[^/]+/queue/' },
    },
    {
      name: 'worker-without-street-door',
      comment: 'A worker is the same house without controllers and resolvers; it may examine messages too.',
      severity: 'error',
      from: {
        path: '^src/(processes/worker\\.(main|module)|modules/(.+/queue/.+\\.work|inspect/inspect\\.module))\\.ts$',
      },
      to: { path: '\\.(api\\.module|controller|resolver)\\.ts$', reachable: true },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    // Types are knowledge too.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.build)/' },
    enhancedResolveOptions: {
      // The files do not change while it reads them.
      cachedInputFileSystem: { cacheDuration: 600_000 },
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
