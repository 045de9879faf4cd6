import { progressDisplayOn } from './progress-display.js';

function watched(isTTY: boolean) {
  let written = '';
  const undos: (() => Promise<void> | void)[] = [];
  const output = {
    isTTY,
    write: (text: string) => {
      written += text;
      return true;
    },
  } as unknown as NodeJS.WriteStream;
  const watcher = progressDisplayOn(output, (undo) => undos.push(undo));
  return { watcher, end: () => undos.forEach((undo) => void undo()), written: () => written };
}

test('a terminal has one line, each in the place of the one before', () => {
  const { watcher, end, written } = watched(true);
  for (const line of ['10 %', '10 %', '20 %']) watcher.show(line);
  expect(written()).toBe('\r\u001b[K10 %\r\u001b[K20 %');
  end();
  expect(written()).toBe('\r\u001b[K10 %\r\u001b[K20 %\n');
});

test('a file has one line after the other', () => {
  const { watcher, end, written } = watched(false);
  for (const line of ['10 %', '10 %', '20 %']) watcher.show(line);
  end();
  expect(written()).toBe('10 %\n20 %\n');
});

test('who ends the command while it follows something is told what goes on', () => {
  const { watcher, end, written } = watched(true);
  watcher.show('10 %');
  watcher.onInterrupt(() => 'The import continues.');
  end();
  expect(written()).toBe('\r\u001b[K10 %\nThe import continues.\n');
});

test('whose work is done is told nothing', () => {
  const { watcher, end, written } = watched(true);
  const takeBack = watcher.onInterrupt(() => 'The import continues.');
  watcher.show('100 %');
  takeBack();
  end();
  expect(written()).toBe('\r\u001b[K100 %\n');
});
