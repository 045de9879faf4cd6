/** The controllers and resolvers of the API, for tests that check how handlers are declared. */
import 'reflect-metadata';
import type { DynamicModule, Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { pino } from 'pino';
import { loadConfig } from '../../src/platform/config/config.js';
import { ApiModule } from '../../src/processes/api.module.js';
import { SCHEMA } from '../../src/processes/schema.js';

type ModuleLike = Type | DynamicModule;

const RESOLVER_OPERATION = 'graphql:resolver_type';
const OPERATIONS = ['Query', 'Mutation', 'Subscription'];

/** Controllers and class providers of the module and of all modules that it imports. */
export async function classesOf(root: ModuleLike): Promise<Set<Type>> {
  const seen = new Set<ModuleLike>();
  const classes = new Set<Type>();
  const visit = async (wanted: unknown): Promise<void> => {
    const module = (await wanted) as ModuleLike;
    if (seen.has(module)) return;
    seen.add(module);
    const dynamic = 'module' in module ? module : undefined;
    const type = dynamic?.module ?? (module as Type);
    const listed = (what: 'controllers' | 'providers' | 'imports'): unknown[] => [
      ...((Reflect.getMetadata(what, type) as unknown[] | undefined) ?? []),
      ...((dynamic?.[what] as unknown[] | undefined) ?? []),
    ];
    for (const each of [...listed('controllers'), ...listed('providers')]) {
      const made = (each as { useClass?: unknown }).useClass ?? each;
      if (typeof made === 'function') classes.add(made as Type);
    }
    for (const imported of listed('imports')) await visit(imported);
  };
  await visit(root);
  return classes;
}

/**
 * Names of the methods that answer requests, as `Class.method`, each with the function that carries the
 * decorators.
 */
export function handlersOf(type: Type): [string, object][] {
  const prototype = type.prototype as Record<string, unknown>;
  return Object.getOwnPropertyNames(prototype).flatMap((name): [string, object][] => {
    const method = Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown;
    if (typeof method !== 'function' || name === 'constructor') return [];
    const isRoute =
      Reflect.hasMetadata(PATH_METADATA, method) && Reflect.hasMetadata(METHOD_METADATA, method);
    const operation = Reflect.getMetadata(RESOLVER_OPERATION, method) as string | undefined;
    return isRoute || (operation && OPERATIONS.includes(operation)) ? [[`${type.name}.${name}`, method]] : [];
  });
}

/** The API module, assembled as in a process. */
export function api(): DynamicModule {
  const config = {
    ...loadConfig({}),
    databaseUrl: 'postgres://127.0.0.1:1/none',
    smtpUrl: 'smtp://127.0.0.1:1',
    sandboxSmtpUrl: undefined,
    isSingleProcess: false,
    roleSuffix: '',
    redisPrefix: '',
    tokenSecrets: ['a'.repeat(32)],
    apiKeySecrets: ['a'.repeat(32)],
    encryptionKeys: ['0'.repeat(64)],
  };
  return ApiModule.register({ config, logger: pino({ level: 'silent' }), schema: SCHEMA });
}
