/**
 * Every REST and GraphQL handler declares who may call it: `@Requires(...)`, `@RequiresIdentity()` or `@Public()`.
 * The guard rejects handlers without one of these marks at run time; this test already fails the build.
 */
import 'reflect-metadata';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Get, Module, Post, type Type } from '@nestjs/common';
import { Query, Resolver } from '@nestjs/graphql';
import { Public, PUBLIC_ROUTE } from '../../src/modules/access/public.decorator.js';
import { ACCESS_RULE, IDENTITY_ROUTE, Requires } from '../../src/modules/access/requires.decorator.js';
import { api, classesOf, handlersOf } from './faces.js';
import { filesOf } from './sources.js';

function unmarked(types: Iterable<Type>): string[] {
  return [...types].flatMap((type) =>
    handlersOf(type)
      .filter(([, method]) => {
        const marks = [ACCESS_RULE, IDENTITY_ROUTE, PUBLIC_ROUTE].filter((mark) =>
          [method, type].some((bearer) => Reflect.hasMetadata(mark, bearer)),
        );
        // Fewer or more than one mark is an error: a public handler requires nothing.
        return marks.length !== 1;
      })
      .map(([name]) => name),
  );
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
