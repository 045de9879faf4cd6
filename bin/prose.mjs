/**
 * Checks that pages, descriptions of both APIs and comments are plain English: `node bin/prose.mjs [file ...]`, without
 * files for the whole repository. Prints each finding, and fails if there is one.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..');
const MAX_COLUMNS = 120;

/** Words that read as translated, or that only this project used, and what to write instead. */
const BANNED = [
  [/\bwhoever\b/i, 'the one who, or the passive'],
  [/\b(?:nobody|somebody)\b/i, 'no one, someone, or the passive'],
  [/\bstands?\b(?! (?:for|alone|out)\b)/i, 'is, appears'],
  [/\b(?:is|are) told\b/i, 'receives, is notified'],
  [/\bdear(?:er|est)?\b/, 'expensive'],
  [/\bword of\b/i, 'report from'],
  [/\bbeside\b/i, 'next to, besides'],
  [/\bgo(?:es)? on\b/i, 'continues'],
  [/\blooks? at\b/i, 'reads, checks'],
  [/\bin hand\b/i, 'claimed, in flight'],
  [/\bputs? back\b/i, 'requeue, return'],
  [/\bhears?\b|\bheard\b/i, 'handles, receives'],
  [/\bbells?\b/i, 'wake-up'],
  [/\btakes? leave\b/i, 'deregisters'],
  [/\bcomes? to (?:an|its|their) end\b/i, 'ends'],
  [/\bso many\b/i, 'a number of'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, repair'],
];

/** Landed migrations never change. */
const UNCHECKED_FOLDER = 'src/migrations/';

const named = process.argv.slice(2);
const files = named.length > 0 ? named : repositoryFiles();
const found = files.flatMap((file) => findingsOf(file, readFileSync(join(ROOT, file), 'utf8')));
for (const { file, line, problem } of found) console.log(`${file}:${line} ${problem}`);
if (found.length > 0) console.log(`${found.length} places read as translated, or are too long.`);
process.exitCode = found.length > 0 ? 1 : 0;

function repositoryFiles() {
  return execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.(?:md|ts|mjs)$|^openapi\.json$|^schema\.gql$/.test(file))
    .filter((file) => !file.startsWith(UNCHECKED_FOLDER));
}

/** Lines of prose with their numbers; code is left out. */
function proseOf(file, text) {
  if (file.endsWith('.md')) return markdownProse(text);
  if (file.endsWith('.json')) return descriptions(text, /^\s*"(?:description|summary)": "(.*)",?$/);
  if (file.endsWith('.gql')) return graphqlDescriptions(text);
  return comments(text);
}

function findingsOf(file, text) {
  return proseOf(file, text).flatMap(({ line, prose, isWrapped }) => {
    const problems = BANNED.flatMap(([pattern, instead]) => {
      const match = pattern.exec(prose);
      return match ? [`"${match[0]}": write ${instead}`] : [];
    });
    if (isWrapped && prose.length > MAX_COLUMNS) problems.push(`${prose.length} columns, of ${MAX_COLUMNS}`);
    return problems.map((problem) => ({ file, line, problem }));
  });
}

function markdownProse(text) {
  let isCode = false;
  let isGenerated = false;
  return text.split('\n').flatMap((content, index) => {
    if (/^\s*```/.test(content)) {
      isCode = !isCode;
      return [];
    }
    if (isCode) return [];
    // A page's generated part is between two comments. Generated lines, tables and links are not wrapped.
    if (content.startsWith('<!--')) isGenerated = !isGenerated;
    const isWrapped = !isGenerated && !/^\s*\||\]\(|^\s*[-*>]?\s*\S+$/.test(content);
    return [{ line: index + 1, prose: content.replace(/`[^`]*`/g, '`'.repeat(2)), isWrapped }];
  });
}

function descriptions(text, pattern) {
  return text.split('\n').flatMap((content, index) => {
    const prose = pattern.exec(content)?.[1];
    return prose === undefined ? [] : [{ line: index + 1, prose, isWrapped: false }];
  });
}

function graphqlDescriptions(text) {
  let isInside = false;
  return text.split('\n').flatMap((content, index) => {
    const marks = content.split('"""').length - 1;
    const isProse = isInside || marks > 0;
    if (marks === 1) isInside = !isInside;
    return isProse ? [{ line: index + 1, prose: content, isWrapped: false }] : [];
  });
}

function comments(text) {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, text);
  const lines = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if (kind !== ts.SyntaxKind.SingleLineCommentTrivia && kind !== ts.SyntaxKind.MultiLineCommentTrivia)
      continue;
    const first = text.slice(0, scanner.getTokenStart()).split('\n').length;
    for (const [offset, prose] of scanner.getTokenText().split('\n').entries())
      lines.push({
        line: first + offset,
        prose: prose.replace(/`[^`]*`/g, '``'),
        isWrapped: !prose.includes('http'),
      });
  }
  return lines;
}
