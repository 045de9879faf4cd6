/**
 * What the compiler does not see: promises left alone, switches that forget a case, time and environment read where
 * they must not be. The rules of who may import what are in .dependency-cruiser.mjs.
 */
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

const TYPESCRIPT = ['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'ormconfig.ts'];

const NO_WALL_CLOCK = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'The present is a value here: take `now` as an argument.',
  },
  {
    selector:
      'CallExpression[callee.property.name=/^(now|random)$/][callee.object.name=/^(Date|performance|Math)$/]',
    message: 'The core is pure: take the moment, or the number, as an argument.',
  },
];

const NO_ENVIRONMENT = [
  {
    selector:
      "MemberExpression[object.name='process'][property.name='env']:not(CallExpression[callee.name='loadConfig'] > MemberExpression)",
    message:
      'platform/config alone reads the environment: `loadConfig(process.env)`, then pass the configuration.',
  },
];

const NO_ENUM = [
  {
    selector: 'TSEnumDeclaration',
    message:
      'A union of literals, from an array `as const`, says the same and is checked the same everywhere.',
  },
];

/**
 * Coined words that earlier code used for things that have a name in the field, such as `bell` for a wake-up of a queue.
 * Not checked: properties, which may be names of columns or of GraphQL fields.
 */
const COINED =
  'bell|setAside|putBack|innocent|lane|stretch|course|seat|hear|heard|tell|told|untold|noted|survey|mourn|census|turns|' +
  'cargo|patience|stranger|dear|wish|slip|tally|tallies|keeper|heed|luck|goOn|lookAt';
const everyCase = (word) => {
  const capital = word[0].toUpperCase() + word.slice(1);
  const constant = word.replace(/[A-Z]/g, '_$&').toUpperCase();
  return `^_?${word}(e?s)?(?![a-z])|(?<=[a-z0-9])${capital}(e?s)?(?![a-z])|^${capital}(e?s)?(?![a-z])|(?<![A-Z])${constant}(E?S)?(?![A-Z])`;
};
export const NO_COINED_NAMES = [
  'error',
  {
    selector: ['variableLike', 'typeLike', 'method', 'classicAccessor'],
    format: null,
    custom: { regex: COINED.split('|').map(everyCase).join('|'), match: false },
  },
];

/** How long `===` takes tells where two texts differ. */
const COMPARED =
  "BinaryExpression[operator=/^[!=]==?$/]:not([right.type='Literal']):not([right.type='Identifier'][right.name='undefined'])";
const NAMES_OF_SECRETS = '/(secret|signature|password|hmac|apiKey|hash)$/i';
const NO_PLAIN_COMPARISON = [
  `${COMPARED} > Identifier[name=${NAMES_OF_SECRETS}]`,
  `${COMPARED} > MemberExpression[property.name=${NAMES_OF_SECRETS}]`,
].map((selector) => ({
  selector,
  message: 'Secrets are compared by their digests, in constant time: platform/crypto/equal-digests.',
}));

/** Records are camelCase inside; the faces, files and SQL have their own spelling, and map it (kernel/letter-case). */
const NO_SNAKE_CASE = [
  {
    selector: ':matches(TSPropertySignature, PropertyDefinition)[key.name=/[a-z0-9]_[a-z0-9]/]',
    message: 'A record inside is camelCase: http/, graphql/ and persistence/ map what is written otherwise.',
  },
];

/** Types of what is written: their names are those of the documents that they describe. */
const WRITTEN_FORMS = [
  'src/kernel/domain-error.ts', // bodies of errors
  'src/kernel/date-range.ts', // parameters of reports
  'src/modules/flows/domain/written-flow.ts', // steps and settings, in REST and in the rows
];

export default tseslint.config(
  { ignores: ['dist/', '.build/', '.data/', 'node_modules/', 'coverage/', '.stryker/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true } },
  {
    files: ['**/*.mjs'],
    extends: [tseslint.configs.base],
    rules: {
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      '@typescript-eslint/no-unused-vars': 'error',
    },
  },
  {
    files: TYPESCRIPT,
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-imports': [
        'error',
        { name: 'node:process', message: 'Use the global `process`.' },
        { name: '@nestjs/common', importNames: ['forwardRef'], message: 'Modules import downhill only.' },
      ],
      'no-restricted-syntax': ['error', ...NO_ENUM],
      '@typescript-eslint/naming-convention': NO_COINED_NAMES,
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      // Classes that Nest injects stay value imports: the rule spares files whose decorators emit metadata.
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/unbound-method': ['error', { ignoreStatic: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowNever: true }],
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      // Handlers and framework hooks are async by contract.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/platform/config/**', 'src/**/*.spec.ts'],
    rules: { 'no-restricted-syntax': ['error', ...NO_ENUM, ...NO_PLAIN_COMPARISON, ...NO_ENVIRONMENT] },
  },
  {
    files: ['src/kernel/**/*.ts', 'src/modules/*/domain/**/*.ts'],
    ignores: ['src/**/*.spec.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...NO_ENUM,
        ...NO_PLAIN_COMPARISON,
        ...NO_ENVIRONMENT,
        ...NO_WALL_CLOCK,
      ],
    },
  },
  {
    files: ['src/modules/*/application/**/*.ts'],
    ignores: ['src/**/*.spec.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...NO_ENUM,
        ...NO_PLAIN_COMPARISON,
        ...NO_ENVIRONMENT,
        ...NO_SNAKE_CASE,
      ],
    },
  },
  {
    files: ['src/kernel/**/*.ts', 'src/modules/*/domain/**/*.ts'],
    ignores: ['src/**/*.spec.ts', ...WRITTEN_FORMS],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...NO_ENUM,
        ...NO_PLAIN_COMPARISON,
        ...NO_ENVIRONMENT,
        ...NO_WALL_CLOCK,
        ...NO_SNAKE_CASE,
      ],
    },
  },
  {
    // What people read on their terminal.
    files: ['src/processes/**/*.ts', 'bench/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    // Answers over the wire are looked into as they come: what they must be is what the test says.
    files: ['test/**/*.ts', 'src/**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  { files: ['test/**/*.ts'], rules: { '@typescript-eslint/no-explicit-any': 'off' } },
  // A migration that has landed does not change.
  { files: ['src/migrations/**/*.ts'], rules: { '@typescript-eslint/naming-convention': 'off' } },
  prettier,
);
