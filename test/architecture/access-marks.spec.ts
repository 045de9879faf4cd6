/**
 * Every handler of the API, REST and GraphQL, says who may call it: `@Requires(...)` or `@Public()`. The guard
 * refuses the others at run time; here they fail the build.
 */
import 'reflect-metadata';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DynamicModule, Get, Module, Post, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { Query, Resolver } from '@nestjs/graphql';
import { pino } from 'pino';
import { Public, PUBLIC_ROUTE } from '../../src/modules/access/public.decorator.js';
import { ACCESS_RULE, Requires } from '../../src/modules/access/requires.decorator.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { ApiModule } from '../../src/processes/api.module.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { filesOf } from './sources.js';

type ModuleLike = Type | DynamicModule;

const RESOLVER_OPERATION = 'graphql:resolver_type';
const OPERATIONS = ['Query', 'Mutation', 'Subscription'];

/** Controllers and class providers of the module and of all that it imports. */
async function classesOf(root: ModuleLike): Promise<Set<Type>> {
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

/** Names of the methods that answer requests, as `Class.method`, with the function that bears the marks. */
function handlersOf(type: Type): [string, object][] {
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

function unmarked(types: Iterable<Type>): string[] {
  return [...types].flatMap((type) =>
    handlersOf(type)
      .filter(([, method]) => {
        const marks = [ACCESS_RULE, PUBLIC_ROUTE].filter((mark) =>
          [method, type].some((bearer) => Reflect.hasMetadata(mark, bearer)),
        );
        // Neither none nor both: what is public asks for nothing.
        return marks.length !== 1;
      })
      .map(([name]) => name),
  );
}

function api(): DynamicModule {
  const config = {
    ...loadConfig({}),
    databaseUrl: 'postgres://127.0.0.1:1/none',
    smtpUrl: 'smtp://127.0.0.1:1',
    sandboxSmtpUrl: undefined,
    tokenSecrets: ['a'.repeat(32)],
    apiKeySecrets: ['a'.repeat(32)],
    encryptionKeys: ['0'.repeat(64)],
  };
  return ApiModule.register({ config, logger: pino({ level: 'silent' }), schema: SCHEMA });
}

test('every handler and resolver of the API bears exactly one mark', async () => {
  const classes = await classesOf(api());
  expect([...classes].flatMap(handlersOf).length).toBeGreaterThan(10);
  expect(unmarked(classes)).toEqual([]);
});

test('the API has every controller and resolver that is written', async () => {
  const classes = await classesOf(api());
  const files = filesOf('src').filter((file) => /\.(controller|resolver)\.ts$/.test(file));
  const written = await Promise.all(
    files.map(async (file) => Object.values((await import(pathToFileURL(resolve(file)).href)) as object)),
  );
  const faces = (written.flat() as unknown[]).filter(
    (each): each is Type =>
      typeof each === 'function' && each.prototype !== undefined && handlersOf(each as Type).length > 0,
  );
  expect(faces.filter((face) => !classes.has(face)).map(({ name }) => name)).toEqual([]);
});

test('a handler without a mark, or with two, is found', async () => {
  class Careless {
    @Get('open')
    open(): void {}

    @Public()
    @Requires({})
    @Post('both')
    both(): void {}

    @Requires({ permission: 'contacts:read' })
    @Get('marked')
    marked(): void {}
  }
  @Resolver()
  class CarelessResolver {
    @Query(() => String)
    hello(): string {
      return 'hello';
    }
  }
  @Module({ controllers: [Careless], providers: [CarelessResolver] })
  class CarelessModule {}
  @Module({ imports: [CarelessModule] })
  class House {}
  expect(unmarked(await classesOf(House))).toEqual([
    'Careless.open',
    'Careless.both',
    'CarelessResolver.hello',
  ]);
});
