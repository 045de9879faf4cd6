/**
 * Does the expensive work of a template change before any lock is taken. The transaction looks up the prepared
 * results. If one is missing, the transaction ends with a DearChange, which says what to prepare before the next
 * attempt.
 */
import { sameJson } from '../../../kernel/json.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { isSmall, type Threads } from '../../../platform/threads/threads.js';
import { type AstPatch, astPatch, isPatchable } from '../domain/ast-patch.js';
import { type Content, type Derived, derivedOf } from '../domain/new-template.js';
import { AST_PATCH, DERIVE } from '../domain/template-tasks.js';
import type { Template } from '../domain/template.js';

type Document = NonNullable<Template['bodyAst']>;
type DearWork =
  | { readonly kind: 'content'; readonly content: Content }
  | { readonly kind: 'documents'; readonly from: Document; readonly to: Document };

/** Ends a transaction that would otherwise hold its locks during expensive work. */
export class DearChange extends Error {
  constructor(readonly work: DearWork) {
    super(`Checking the ${work.kind} of this change takes long.`);
  }
}

export class PreparedChange {
  private content: (Content & { readonly derived: Derived }) | undefined;
  private documents:
    { readonly from: Document; readonly to: Document; readonly patch: AstPatch | null } | undefined;

  constructor(
    private readonly threads: Threads,
    private readonly scope: WorkspaceScope,
  ) {}

  /**
   * The data derived from the content.
   * @throws DearChange if the content is large and not prepared.
   */
  readonly derive = ({ subject, bodyHtml, templateLanguage }: Content): Derived => {
    const content = { subject, bodyHtml, templateLanguage };
    if (isSmall(content)) return derivedOf(content);
    const known = this.content;
    if (
      known?.bodyHtml === bodyHtml &&
      known.subject === subject &&
      known.templateLanguage === templateLanguage
    )
      return known.derived;
    throw new DearChange({ kind: 'content', content });
  };

  /**
   * The patch from the former document to the next one.
   * @throws DearChange if the documents are large and not prepared.
   */
  patch({ bodyAst: from }: Template, { bodyAst: to }: Template): AstPatch | null {
    if (!from || !to || from === to) return astPatch(from, to);
    if (!isPatchable(from, to)) return null;
    if (isSmall({ from, to })) return astPatch(from, to);
    const known = this.documents;
    if (known && sameJson(known.from, from) && sameJson(known.to, to)) return known.patch;
    throw new DearChange({ kind: 'documents', from, to });
  }

  /**
   * Does the work for which the transaction ended.
   * @throws DomainError as Threads.run.
   */
  async prepare({ work }: DearChange): Promise<void> {
    const { workspaceId } = this.scope;
    if (work.kind === 'content') {
      const { content } = work;
      const derived = await this.threads.onThread(workspaceId, DERIVE, content);
      this.content = { ...content, derived };
    } else {
      const { from, to } = work;
      const patch = await this.threads.onThread(workspaceId, AST_PATCH, { from, to });
      this.documents = { from, to, patch };
    }
  }
}
