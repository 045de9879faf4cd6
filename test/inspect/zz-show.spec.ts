import { readFileSync, writeFileSync } from 'node:fs';
import { textOf } from '../../src/modules/templates/domain/new-template.js';
import { ANALYSE } from '../../src/modules/inspect/domain/inspect-tasks.js';
import { storedFindings } from '../../src/modules/inspect/domain/stored-finding.js';
test('show', () => {
  const out: string[] = [];
  for (const file of readFileSync('/tmp/show-files', 'utf8').trim().split('\n')) {
    const bodyHtml = readFileSync(file, 'utf8');
    const content = { subject: 'What is new', bodyHtml, templateLanguage: null };
    const start = Date.now();
    const a = ANALYSE.run({
      content: { ...content, bodyText: textOf(content) },
      preheader: null,
      channel: 'email',
      sender: {
        fromEmail: 'a@acme.com',
        replyTo: undefined,
        companyComplete: true,
        live: true,
        sharedDomain: 's.acme.com',
        isOwnDomain: true,
      },
      sample: null,
      now: new Date(),
    });
    out.push(
      `== ${file} ${a.message ? 'rendered' : 'NOT RENDERED'} resources ${a.resources.length} ${Date.now() - start}ms`,
    );
    for (const f of storedFindings(a.findings, bodyHtml))
      out.push(
        `${f.code} ${f.severity} ${f.line}:${f.column} ${f.message.slice(0, 160)} | ${(f.snippet ?? '').replace(/\s+/g, ' ').trim().slice(0, 130)}`,
      );
  }
  writeFileSync('/tmp/show-out', out.join('\n') + '\n');
});
