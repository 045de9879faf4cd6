/**
 * `npm run generate`: generates schema.gql, openapi.json, the catalogues in docs/reports.md and docs/findings.md, and
 * the lists of codes from the code. Builds the API without listening. Needs a database, and starts the embedded one if
 * there is none.
 */
import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { withRules } from '../modules/inspect/domain/rules/findings-page.js';
import { withGivenCodes } from '../modules/inspect/domain/rules/given-codes.js';
import { renderOpenApi } from '../modules/operations/http/openapi.js';
import { withCatalogue } from '../modules/reports/domain/catalogue-page.js';
import { renderSchema } from '../platform/graphql/graphql.module.js';
import { ApiModule } from './api.module.js';
import { migrateToCurrentSchema } from './current-schema.js';
import { runMain } from './run-main.js';
import { borrowedConfig } from './runtime.js';
import { SCHEMA } from './schema.js';
import { createApp } from './serve.js';

const REPORTS_PAGE = 'docs/reports.md';
const FINDINGS_PAGE = 'docs/findings.md';
const GIVEN_CODES = 'test/contract/given-codes.txt';

await runMain('generate', async (boot) => {
  const { logger, atEnd, finish } = boot;
  const { runtime } = await migrateToCurrentSchema(await borrowedConfig(boot));
  const app = await createApp(ApiModule.register({ config: runtime, logger, schema: SCHEMA }), logger);
  atEnd(() => app.close());
  await app.init();
  await Promise.all([
    writeFile('schema.gql', renderSchema(app)),
    writeFile('openapi.json', renderOpenApi(app)),
    writeFile(GIVEN_CODES, withGivenCodes(await readFile(GIVEN_CODES, 'utf8'))),
    writeFile(FINDINGS_PAGE, withRules(await readFile(FINDINGS_PAGE, 'utf8'))),
    writeFile(REPORTS_PAGE, withCatalogue(await readFile(REPORTS_PAGE, 'utf8'))),
  ]);
  finish();
});
