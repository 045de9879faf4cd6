/**
 * There is one way to read input: a class that declares its type reads everything that a handler takes from a
 * body, a URL or GraphQL arguments. Handlers that read input by hand are listed here with the reason.
 */
import 'reflect-metadata';
import { Body, Get, Post, Query, Req, type Type } from '@nestjs/common';
import { PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { Args, Query as Field, ResolveField, Resolver } from '@nestjs/graphql';
import { isInputClass } from '../../src/platform/input/input-table.js';
import { PageArgs } from '../../src/platform/input/page.input.js';
import { api, classesOf } from './faces.js';

const READ_BY_HAND: Readonly<Record<string, string>> = {
  'EventsController.accept': 'measured: events are the hot path',
  'EventsController.acceptBatch': 'measured: events are the hot path',
  'BillingWebhookController.receive': 'signed: the bytes are checked before anybody reads what they say',
  'ContactsController.upsert': 'the fields of contacts, which events bring too',
  'ContactsController.upsertMany': 'measured: a thousand contacts a request, each with its own answer',
  'ContactsController.patch': 'the fields of contacts, which events bring too',
  'EmailWebhookController.receive': 'signed: the bytes are checked before anybody reads what they say',
  'FlowVersionsController.restore': 'the flow’s status and version are asked first, section 4.2',
  'FlowVersionsResolver.restoreFlowVersion': 'the flow’s status and version are asked first, section 4.2',
  'ImportFilesController.upload': 'a file of up to 200 MB, kept as it comes',
  'PaymentWebhookController.receive': 'whatever the provider tells is kept and answered 200',
  'ReportPagesController.shared': 'a link for people and programs: a token that is none is answered in words',
  'ReportRecipientsController.stopQuestion': 'a page for people: without its token it says so in words',
  'ReportRecipientsController.stop': 'one-click unsubscribing: a mail program sends what it likes',
  'ReportRecipientsController.confirmQuestion': 'a page for people: without its token it says so in words',
  'ReportRecipientsController.confirm': 'a page for people: without its token it says so in words',
  'TrackingController.click': 'a link of an email: without its token it says so in words',
  'TrackingController.open': 'an image of an email, for programs alone',
  'UnsubscribeController.question': 'a page for people: without its token it says so in words',
  'UnsubscribeController.unsubscribe': 'one-click unsubscribing: a mail program sends what it likes',
};
/** Arguments that identify a record, like path parameters in REST: any value either matches a record or does not. */
const NAMES = ['id', 'slug', 'key', 'version', 'flowId', 'goalId'];

/** Nest's numbers of parameter types. In a resolver 0 is the parent, and arguments have the type of bodies. */
const REQUEST = 0;
const BODY = 3;
const QUERY = 4;

/** The methods that take input without a class that declares it. */
function unread(types: Iterable<Type>): string[] {
  return [...types].flatMap((type) =>
    Object.getOwnPropertyNames(type.prototype)
      .filter((method) => takesUnread(type, method))
      .map((method) => `${type.name}.${method}`),
  );
}

function takesUnread(type: Type, method: string): boolean {
  const prototype = type.prototype as Record<string, unknown>;
  const taken = (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, method) ?? {}) as Record<
    string,
    { readonly index: number; readonly data?: unknown }
  >;
  return Object.entries(taken).some(([key, { index, data }]) => {
    const isRoute = Reflect.hasMetadata(PATH_METADATA, prototype[method] as object);
    const nature = /^\d+:/.test(key) ? Number.parseInt(key, 10) : undefined;
    if (isRoute && nature === REQUEST) return true;
    if (nature !== BODY && nature !== QUERY) return false;
    if (!isRoute && NAMES.includes(String(data))) return false;
    const classes = Reflect.getMetadata('design:paramtypes', prototype, method) as unknown[];
    // GraphQL itself validates a Boolean.
    if (!isRoute && classes[index] === Boolean) return false;
    return !isInputClass(classes[index]);
  });
}

test('every method of a face is given what a class of input reads, but those that read by hand', async () => {
  expect(unread(await classesOf(api())).sort()).toEqual(Object.keys(READ_BY_HAND).sort());
});

test('a handler that takes input in another way is found', () => {
  class Careless {
    @Post('body') body(@Body() _body: unknown): void {}
    @Post('part') part(@Body('part') _part: string): void {}
    @Get('query') query(@Query() _query: { readonly limit?: string }): void {}
    @Get('one') one(@Query('limit') _limit: string): void {}
    @Post('request') request(@Req() _request: unknown): void {}
    @Get('page') page(@Query() _page: PageArgs): void {}
  }
  @Resolver()
  class CarelessResolver {
    @Field(() => String) argument(@Args('colour') colour: string): string {
      return colour;
    }
    @ResolveField(() => String) inner(@Args('first') first: number): string {
      return String(first);
    }
    @Field(() => String) named(@Args('id') id: string): string {
      return id;
    }
    @Field(() => String) all(@Args() { after }: PageArgs): string {
      return after ?? '';
    }
  }
  expect(unread([Careless, CarelessResolver])).toEqual([
    'Careless.body',
    'Careless.part',
    'Careless.query',
    'Careless.one',
    'Careless.request',
    'CarelessResolver.argument',
    'CarelessResolver.inner',
  ]);
});
