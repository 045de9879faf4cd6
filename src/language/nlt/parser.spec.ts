/**
 * Tests what does not parse, its position and the message for the author; and that hostile input costs no more than its
 * length.
 */
import fc from 'fast-check';
import { repetitions } from '../../../test/support/test-scope.js';
import { compileTemplate } from './compiler.js';
import { MAX_BLOCK_LENGTH, MAX_DEPTH, MAX_ERRORS } from './limits.js';
import { parseTemplate } from './parser.js';
import { Tokenizer } from './tokenizer.js';

describe('errors', () => {
  test.each<[source: string, line: number, column: number, message: RegExp, block: string]>([
    ["{the user's}", 1, 12, /name of a value is missing/, "{the user's}"],
    ['{the }', 1, 6, /name of a value is missing/, '{the }'],
    ["a\nb {the user's }", 2, 15, /missing/, "{the user's }"],
    ["\r\n\r\n  {the user's Name, upper}", 3, 21, /“upper” is not a modifier/, "{the user's Name, upper}"],
    ["{the user's Name,}", 1, 18, /Nothing follows this comma/, "{the user's Name,}"],
    ["{the user's Name, or there}", 1, 22, /in quotes: or "there"/, "{the user's Name, or there}"],
    ["{the user's Name, as date}", 1, 22, /After “as”, a text in quotes/, "{the user's Name, as date}"],
    ['{the user\'s Name, as "dated"}', 1, 22, /format is not known/, '{the user\'s Name, as "dated"}'],
    [
      '{the user\'s Name, as "DD.MM.YYYY"}',
      1,
      22,
      /format is not known/,
      '{the user\'s Name, as "DD.MM.YYYY"}',
    ],
    ['{the user\'s Name, as "currency EURO"}', 1, 22, /not known/, '{the user\'s Name, as "currency EURO"}'],
    ['{the user\'s Name, as ""}', 1, 22, /not known/, '{the user\'s Name, as ""}'],
    ["{the user's Name, rounded to x}", 1, 30, /number from 0 to 20/, "{the user's Name, rounded to x}"],
    ["{the user's Name, rounded to 21}", 1, 30, /number from 0 to 20/, "{the user's Name, rounded to 21}"],
    ['{the user\'s Name, replacing "a"}', 1, 32, /“with”/, '{the user\'s Name, replacing "a"}'],
    [
      '{the user\'s Name, replacing "" with "b"}',
      1,
      29,
      /is empty/,
      '{the user\'s Name, replacing "" with "b"}',
    ],
    ['{the user\'s Name, joined ", "}', 1, 26, /“with”/, '{the user\'s Name, joined ", "}'],
    ['{the user\'s Name "x"}', 1, 18, /“x” was not expected/, '{the user\'s Name "x"}'],
    ['{the user\'s Name, required "x"}', 1, 28, /“x” was not expected/, '{the user\'s Name, required "x"}'],
    ["{the user's Points + 5}", 1, 20, /“\+” is not allowed here/, "{the user's Points + 5}"],
    ["{the user's Points plus}", 1, 24, /After “plus” a value/, "{the user's Points plus}"],
    ["{the user's Points plus Bonus}", 1, 25, /After “plus” a value/, "{the user's Points plus Bonus}"],
    ['{the New York Times}', 1, 20, /After “times” a value/, '{the New York Times}'],
    ['{today plus 7}', 1, 2, /“today” cannot be used in arithmetic/, '{today plus 7}'],
    ['{now times 7}', 1, 2, /“now” cannot be used/, '{now times 7}'],
    ["{today's deal}", 1, 7, /not expected/, "{today's deal}"],
    ['{now playing}', 1, 6, /“playing” was not expected/, '{now playing}'],
    ['{the Amount from the order}', 1, 22, /from the trigger event/, '{the Amount from the order}'],
    ['{the Amount from the event}', 1, 22, /from the trigger event/, '{the Amount from the event}'],
    ['{the Amount from the "x"}', 1, 25, /the word “event”/, '{the Amount from the "x"}'],
    ['{the "" from the trigger event}', 1, 6, /is empty/, '{the "" from the trigger event}'],
    ['{if }x{end if}', 1, 5, /A value was expected/, '{if }'],
    ['{if you like}', 1, 5, /A value was expected/, '{if you like}'],
    ["{if the user's Age is}x{end if}", 1, 22, /compare with/, "{if the user's Age is}"],
    ["{if the user's Age is < 5}x{end if}", 1, 23, /“<” is not allowed here/, "{if the user's Age is < 5}"],
    ["{if the user's Age &gt; 5}x{end if}", 1, 20, /“>” is not allowed here/, "{if the user's Age &gt; 5}"],
    ["{if the user's Age == 5}x{end if}", 1, 20, /“==” is not allowed here/, "{if the user's Age == 5}"],
    ['{if the A is "b" or "c"}x{end if}', 1, 21, /is one of/, '{if the A is "b" or "c"}'],
    ['{if the A is b or c}x{end if}', 1, 19, /A value was expected/, '{if the A is b or c}'],
    ['{if the A is "b" "c"}x{end if}', 1, 18, /“c” was not expected/, '{if the A is "b" "c"}'],
    ['{if the A is 1, uppercase}x{end if}', 1, 15, /“,” was not expected/, '{if the A is 1, uppercase}'],
    ['{if not not the A}x{end if}', 1, 9, /A value was expected/, '{if not not the A}'],
    ['{if the A is 1 and}x{end if}', 1, 19, /A value was expected/, '{if the A is 1 and}'],
    ['{if the A is one of}x{end if}', 1, 20, /compare with/, '{if the A is one of}'],
    ['{if the A is above 5}x{end if}', 1, 14, /“above 5” is not a comparison/, '{if the A is above 5}'],
    ['{if the A is more than 5}x{end if}', 1, 14, /is not a comparison/, '{if the A is more than 5}'],
    ['{if the A is between 1 and 5}x{end if}', 1, 14, /is not a comparison/, '{if the A is between 1 and 5}'],
    ['{if the A is before today}x{end if}', 1, 14, /is not a comparison/, '{if the A is before today}'],
    ['{if the A is after the B}x{end if}', 1, 14, /is not a comparison/, '{if the A is after the B}'],
    ['{if the A > 5}x{end if}', 1, 11, /“>” is not allowed here/, '{if the A > 5}'],
    ['{if the A is 1,000}x{end if}', 1, 15, /“,” was not expected/, '{if the A is 1,000}'],
    ['{if the A is gold and silver}x{end if}', 1, 23, /is one of/, '{if the A is gold and silver}'],
    ['{if (the A)}x{end if}', 1, 5, /A value was expected/, '{if (the A)}'],
    ['{if true}x{end if}', 1, 5, /A value was expected/, '{if true}'],
    ['{if the A}x', 1, 1, /not closed: \{end if\}/, '{if the A}'],
    ['{for each X in the Y}x', 1, 1, /not closed: \{end for\}/, '{for each X in the Y}'],
    ['{for each X}x{end for}', 1, 12, /“in” was expected|not expected/, '{for each X}'],
    ['{for each X of the Y}x{end for}', 1, 21, /“in” was expected/, '{for each X of the Y}'],
    ['{for each User in the Y}x{end for}', 1, 11, /must not be called “user”/, '{for each User in the Y}'],
    ['{for each the X in the Y}x{end for}', 1, 11, /without “the”/, '{for each the X in the Y}'],
    ['{for each X in Y}x{end for}', 1, 16, /A value was expected/, '{for each X in Y}'],
    ['x {else} y', 1, 3, /outside a condition/, '{else}'],
    ['{if the A}{else}{else}{end if}', 1, 17, /follows an \{else\}/, '{else}'],
    ['{if the A}{else}{else if the B}{end if}', 1, 17, /follows an \{else\}/, '{else if the B}'],
    ['{if the A}{else maybe}{end if}', 1, 17, /“maybe” was not expected/, '{else maybe}'],
    ['{for each X in the Y}{else}{end for}', 1, 22, /outside a condition/, '{else}'],
    ['x {end if}', 1, 3, /nothing to close/, '{end if}'],
    ['x {end for}', 1, 3, /nothing to close/, '{end for}'],
    ['{if the A}{else if}{end if}', 1, 19, /A value was expected/, '{else if}'],
    ['{if the A}{else, if the B}{end if}', 1, 16, /“,” was not expected/, '{else, if the B}'],
    ['{if the A}x{endif}', 1, 1, /not closed/, '{if the A}'],
    ['{for each X in the Y}x{end each}', 1, 1, /not closed/, '{for each X in the Y}'],
    ['{the user\'s Name or "there"}', 1, 21, /comma before “or”/, '{the user\'s Name or "there"}'],
    ['{the user\'s Name as "date"}', 1, 21, /comma before “as”/, '{the user\'s Name as "date"}'],
    ['{the A from trigger event}', 1, 6, /“from the trigger event”/, '{the A from trigger event}'],
    ['{the A plus .5}', 1, 13, /After “plus” a value/, '{the A plus .5}'],
    ['{the A, rounded to 2 down}', 1, 22, /“down” was not expected/, '{the A, rounded to 2 down}'],
    ['{the A, title case}', 1, 9, /“title” is not a modifier/, '{the A, title case}'],
    ['{the A, joined with}', 1, 20, /After “joined with”, a text in quotes/, '{the A, joined with}'],
    ['{the A, as "EUR"}', 1, 12, /currency EUR/, '{the A, as "EUR"}'],
    ['{the A, as "MM/DD/YYYY"}', 1, 12, /not known/, '{the A, as "MM/DD/YYYY"}'],
    ['{the {the B} C}', 1, 1, /no closing brace/, '{the '],
    ['{the A, or "x”}', 1, 1, /no closing quote/, '{the A, or "x”}'],
    ['{end if now}', 1, 9, /“now” was not expected/, '{end if now}'],
    ['{if the A}{for each X in the Y}{end if}', 1, 11, /not closed/, '{for each X in the Y}'],
    ["Hi {the user's Name, bye", 1, 4, /no closing brace/, "{the user's Name, bye"],
    ["Hi {the user's {the user's Name}", 1, 4, /no closing brace/, "{the user's "],
    ['{the x, or "y} and more', 1, 1, /no closing quote/, '{the x, or "y}'],
    ['{the x, or ‘y} and more', 1, 1, /no closing quote/, '{the x, or ‘y}'],
  ])('%s', (source, line, column, message, block) => {
    const template = parseTemplate(source);
    expect(template.errors).toHaveLength(1);
    const [error] = template.errors;
    expect(error?.message).toMatch(message);
    expect([error?.position.line, error?.position.column]).toEqual([line, column]);
    expect(error?.blockText).toBe(block);
  });

  test('all errors are collected in order, and what is around them still counts', () => {
    const template = parseTemplate("{the }\n{the user's Name}\n{if }a{end if}{else}");
    expect(template.errors.map((error) => error.position.line)).toEqual([1, 3, 3]);
    expect(template.blockCount).toBe(5);
  });

  test('after an unclosed quote reading goes on behind the brace', () => {
    const template = parseTemplate('{the x, or "y} <a title="z"> {the } {the y}');
    expect(template.errors.map((error) => error.blockText)).toEqual(['{the x, or "y}', '{the }']);
  });

  test('a template with errors renders to a failure that tells them', () => {
    const template = parseTemplate('{the }');
    const result = compileTemplate(template, 'html').render({ contact: {}, now: new Date(0) });
    expect(result).toMatchObject({
      kind: 'failed',
      error: { code: 'syntax_error', errors: template.errors },
    });
  });
});

describe('positions', () => {
  test('nodes know their braces', () => {
    const source = "Hi\n {the user's Name}!{if the A}x{else if the B}y{end if}";
    const { nodes } = parseTemplate(source);
    expect(nodes[1]).toMatchObject({ kind: 'output', position: { offset: 4, line: 2, column: 2 }, end: 21 });
    expect(nodes[3]).toMatchObject({
      kind: 'if',
      branches: [{ position: { column: 20 }, end: 32 }, { position: { column: 31 } }],
    });
  });
});

describe('nesting', () => {
  const nested = (depth: number) => '{if the A}'.repeat(depth) + 'x' + '{end if}'.repeat(depth);

  test('is allowed up to a depth, then one error', () => {
    expect(parseTemplate(nested(MAX_DEPTH)).errors).toEqual([]);
    expect(parseTemplate(nested(MAX_DEPTH + 1)).errors[0]?.message).toMatch(/nested deeper/);
    expect(parseTemplate(nested(5_000)).errors).toHaveLength(1);
  });

  test('long chains are no nesting', () => {
    const chain = '{if the A is 1}a' + '{else if the A is 2}b'.repeat(5_000) + '{end if}';
    const template = parseTemplate(chain);
    expect(template.errors).toEqual([]);
    const compiled = compileTemplate(template, 'html');
    expect(compiled.render({ contact: { a: 2 }, now: new Date(0) })).toEqual({ kind: 'rendered', text: 'b' });
  });

  test('a long sum is no nesting', () => {
    const source = `{the a${' plus 1'.repeat(700)}}`;
    expect(source.length).toBeLessThan(MAX_BLOCK_LENGTH);
    const compiled = compileTemplate(parseTemplate(source), 'html');
    expect(compiled.render({ contact: { a: 1 }, now: new Date(0) })).toEqual({
      kind: 'rendered',
      text: '701',
    });
  });
});

describe('hostile input', () => {
  const shapes: Record<string, string> = {
    braces: '{',
    'spaced braces': '{ ',
    'open ifs': '{if the a}',
    'open loops': '{for each x in the y}',
    'unclosed expressions': '{the x ',
    'unclosed quotes': '{the x, or "',
    'odd quotes': '{the x, or "}',
    'unclosed curly quotes': '{the x, or “}',
    'unclosed single quotes': "{the x, or '}",
    'quotes that never close': "{the x, or 'a}",
    'quotes that begin nothing': '{ "',
    'quotes after end': '{end "',
    'unclosed tags': '{the <b ',
    'tags before nothing': '{<b>',
    entities: '{the &nbsp',
    'broken blocks': '{the }',
    'stray ends': '{end if}{end for}',
    'crossed blocks': '{if the a}{for each x in the y}{end if}',
    dots: '{the a.b.c.d.',
    apostrophes: "{the a's b's '",
    commas: '{the a,,,,',
    newlines: '{\n',
    expressions: "{the user's x}",
  };

  test.each(Object.entries(shapes))('%s are read in linear time', (_name, unit) => {
    const work = (length: number) => {
      const source = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
      const tokenizer = new Tokenizer(source);
      let offset = source.indexOf('{');
      while (offset >= 0) offset = source.indexOf('{', tokenizer.readBlock(offset).end);
      return tokenizer.charactersRead / length;
    };
    const [small, large] = [work(20_000), work(200_000)];
    expect(small).toBeLessThan(3);
    expect(large).toBeLessThan(3);
  });

  const LENGTH = repetitions({ short: 400_000, full: 2_000_000 });
  const ratios: string[] = [];
  afterAll(() => process.stdout.write(`time per byte, to that of a tenth: ${ratios.join(', ')}\n`));

  test.each(Object.entries(shapes))(`${LENGTH} characters of %s end well`, (name, unit) => {
    const timePerByte = (length: number) => {
      const source = unit.repeat(Math.ceil(length / unit.length));
      const start = performance.now();
      const template = parseTemplate(source);
      expect(template.errors.length).toBeLessThanOrEqual(MAX_ERRORS);
      expect(template.source).toBe(source);
      return (performance.now() - start) / source.length;
    };
    const small = timePerByte(LENGTH / 10);
    ratios.push(`${name} ${(timePerByte(LENGTH) / small).toFixed(2)}`);
  });

  test('a block is bounded', () => {
    const template = parseTemplate(`{the ${'x'.repeat(MAX_BLOCK_LENGTH)}}`);
    expect(template.errors[0]?.message).toMatch(/longer than 5000 characters/);
  });
});

test('braces of entities are letters, and reading goes on behind them', () => {
  expect(parseTemplate('{today&#125;}').nodes).toMatchObject([{ kind: 'text', text: '{today&#125;}' }]);
  expect(parseTemplate('{the &#123;x&#125;}').nodes).toMatchObject([
    { kind: 'output', value: { value: { path: ['{x}'] } } },
  ]);
});

test('whatever an expression is made of, reading it ends', () => {
  const pieces =
    '{ } the today if x y , . \' " = &#123; &#125; &#44; &#46; &#39; &quot; &nbsp; &lt; &amp; &#10; <b> <br> <';
  const piece = fc.constantFrom(' ', ...pieces.split(' '));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 15 }), (some) => {
      const { errors } = parseTemplate(`{the ${some.join('')}}`);
      expect(errors.length).toBeLessThanOrEqual(20);
    }),
  );
});
