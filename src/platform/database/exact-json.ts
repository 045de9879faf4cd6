/**
 * Reads and writes JSON columns without losing digits. Numbers that a double cannot hold are read exactly, and TypeORM
 * writes them as numbers, where its own JSON.stringify would write strings.
 */
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { jsonText, parseJson } from '../../kernel/json-text.js';

pg.types.setTypeParser(pg.types.builtins.JSON, parseJson);
pg.types.setTypeParser(pg.types.builtins.JSONB, parseJson);

/** Makes a data source write JSON columns exactly. */
export function writeExactJson({ driver }: DataSource): void {
  const prepare = driver.preparePersistentValue.bind(driver);
  driver.preparePersistentValue = (value: unknown, column): unknown => {
    const prepared: unknown = prepare(value, column);
    const isJson = column.type === 'jsonb' || column.type === 'json';
    return isJson && typeof prepared === 'string' ? jsonText(value) : prepared;
  };
}
