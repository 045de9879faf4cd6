/** docs/security.md shows the same role matrix as the guard uses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROLES } from '../../src/kernel/principal.js';
import { permissionMatrix } from '../../src/modules/access/domain/permission.js';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8');

test('the table of roles is the matrix', () => {
  const [head = '', ...rows] = [...PAGE.matchAll(/^\| (?:permission|`\w+:\w+`) .*\|$/gm)].map(([row]) => row);
  const cells = (row: string): string[] =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  expect(cells(head)).toEqual(['permission', ...ROLES]);
  expect(
    Object.fromEntries(
      rows
        .map(cells)
        .map(([permission = '', ...marks]) => [
          permission.replaceAll('`', ''),
          ROLES.filter((_, n) => marks[n] === 'yes'),
        ]),
    ),
  ).toEqual(permissionMatrix().permissions);
});
