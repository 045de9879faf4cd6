/** The subjects of flow steps (section 9). They are templates too, compiled once and cached while in use. */
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  type CompiledTemplate,
  compileTemplate,
  eventKeysOf,
  type NameKey,
  parseSource,
  type RenderContext,
  type RenderResult,
} from '../../../language/language.js';

const MAX_CACHED_SUBJECTS = 1_000;

interface Subject {
  readonly template: CompiledTemplate;
  readonly eventKeys: readonly NameKey[];
}

@Injectable()
export class SubjectTemplates {
  private readonly cache = new LRUCache<string, Subject>({ max: MAX_CACHED_SUBJECTS });

  /** Renders the source with the data of one message. */
  render(source: string, context: RenderContext): RenderResult {
    return this.compiled(source).template.render(context);
  }

  /** The events, besides the trigger event, whose latest occurrence the source reads. */
  eventKeys(source: string): readonly NameKey[] {
    return this.compiled(source).eventKeys;
  }

  private compiled(source: string): Subject {
    const subject = this.cache.get(source) ?? compileSubject(source);
    this.cache.set(source, subject);
    return subject;
  }
}

function compileSubject(source: string): Subject {
  const { tree } = parseSource(source, null);
  return { template: compileTemplate(tree, 'subject'), eventKeys: eventKeysOf(tree) };
}
