/** Sending domains for the dashboard: list, add, check, rotate keys, remove. */
import { Inject } from '@nestjs/common';
import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { encodeCursor, KEY, decodeCursor } from '../../../kernel/page-cursor.js';
import { type Author, type Principal, scopeOf } from '../../../kernel/principal.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { connectionOf, type Connection, type Edge } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { CurrentAuthor } from '../../access/current-author.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { SendingDomainService } from '../application/sending-domain.service.js';
import type { SendingDomain } from '../domain/sending-domain.js';
import { AddSendingDomainArgs } from '../input/sending-domain.input.js';
import {
  SendingDomainConnection,
  SendingDomainOutput,
  sendingDomainOutput,
} from '../output/sending-domain.output.js';

/** The name of the list in its cursors. */
const LIST = 'sending domains';

const DOMAIN_ID_ARG = { type: () => ID, description: 'The domain.' } as const;
const READ = { permission: 'domains:read' } as const;
const WRITE = { permission: 'domains:write' } as const;

@Resolver(() => SendingDomainOutput)
export class SendingDomainsResolver {
  constructor(
    private readonly service: SendingDomainService,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  @Query(() => SendingDomainConnection, {
    complexity: COST.list,
    description: 'The workspace’s domains with their DNS records, oldest first; at most 20.',
  })
  @Requires(READ)
  async sendingDomains(
    @CurrentPrincipal() principal: Principal,
    @Args() args: PageArgs,
  ): Promise<Connection<Edge<SendingDomainOutput>>> {
    const page = { first: args.first, after: decodeCursor(LIST, args.after, KEY.none) };
    return connectionOf(await this.service.page(scopeOf(principal), page), args, (domain) => ({
      cursor: encodeCursor(LIST, { key: '', id: domain.id }),
      node: this.outputOf(domain),
    }));
  }

  @Mutation(() => SendingDomainOutput, {
    complexity: COST.computation,
    description:
      'Adds a domain that the workspace owns and creates a signing key for it. At most 20 domains, and 60 ' +
      'changes and checks per hour. Mail is sent from the domain once all required records are found.',
  })
  @Requires(WRITE)
  async addSendingDomain(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args() { domain }: AddSendingDomainArgs,
  ): Promise<SendingDomainOutput> {
    return this.outputOf(await this.service.add(scopeOf(principal), domain, author));
  }

  @Mutation(() => SendingDomainOutput, {
    complexity: COST.computation,
    description: 'Checks the DNS records of a domain now. Records are also checked automatically.',
  })
  @Requires(WRITE)
  async checkSendingDomain(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args('id', DOMAIN_ID_ARG) id: string,
  ): Promise<SendingDomainOutput> {
    return this.outputOf(await this.service.check(scopeOf(principal), id, author));
  }

  @Mutation(() => SendingDomainOutput, {
    complexity: COST.computation,
    description:
      'Creates the next signing key of a domain. It is used as soon as its record is found. Leave the previous ' +
      'record in place for one more week.',
  })
  @Requires(WRITE)
  async rotateSendingDomainKey(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args('id', DOMAIN_ID_ARG) id: string,
  ): Promise<SendingDomainOutput> {
    return this.outputOf(await this.service.rotateKey(scopeOf(principal), id, author));
  }

  @Mutation(() => Boolean, {
    complexity: COST.change,
    description:
      'Removes a domain and its keys. Mail is sent from the shared domain from now on. Returns true.',
  })
  @Requires(WRITE)
  async removeSendingDomain(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args('id', DOMAIN_ID_ARG) id: string,
  ): Promise<boolean> {
    await this.service.remove(scopeOf(principal), id, author);
    return true;
  }

  private outputOf(domain: SendingDomain): SendingDomainOutput {
    return sendingDomainOutput(domain, this.config.sharedSendingDomain);
  }
}
