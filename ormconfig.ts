/**
 * The data source for TypeORM's own command line, on DATABASE_URL: the administrator's connection, as
 * `npm run cli -- migrate` uses it.
 */
import { adminDataSource } from './src/platform/database/data-source.js';
import { loadConfig } from './src/platform/config/config.js';
import { SCHEMA } from './src/processes/schema.js';

export default adminDataSource(
  loadConfig(process.env).databaseUrl ?? 'postgres://127.0.0.1:5432/waypost',
  SCHEMA,
);
