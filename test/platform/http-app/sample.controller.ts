/** Routes that answer, reject and fail in every way that the HTTP layer must render. */
import {
  Body,
  Controller,
  Delete,
  ForbiddenException,
  Get,
  HttpCode,
  Param,
  Post,
  Query,
} from '@nestjs/common';
import { DomainError } from '../../../src/kernel/domain-error.js';
import { Public } from '../../../src/modules/access/public.decorator.js';
import { ApiErrors } from '../../../src/platform/http/api-errors.decorator.js';
import { Database } from '../../../src/platform/database/database.js';
import { Gate } from './gate.js';
import { SampleInput, SampleQuery } from './sample.input.js';

@Public()
@Controller('v1/samples')
export class SampleController {
  constructor(
    private readonly database: Database,
    private readonly gate: Gate,
  ) {}

  @Post()
  @HttpCode(201)
  @ApiErrors('conflict', 'validation_error')
  create(@Body() input: SampleInput): Record<string, unknown> {
    return { ...input, polluted: ({} as Record<string, unknown>)['polluted'] ?? null };
  }

  @Get()
  list(@Query() query: SampleQuery): SampleQuery {
    return query;
  }

  @Post(':id/act')
  @HttpCode(200)
  act(@Param('id') id: string): { id: string } {
    return { id };
  }

  @Delete(':id')
  @HttpCode(204)
  remove(): void {}

  @Get('refused/:code')
  refuse(@Param('code') code: string): never {
    if (code === 'nested')
      throw new DomainError('invalid_date_param', 'from_date is no date', { param: 'from_date' });
    if (code === 'forbidden')
      throw new DomainError('missing_permission', 'This needs flows:write.', {
        required_permission: 'flows:write',
      });
    if (code === 'limited') throw new DomainError('rate_limit_exceeded', 'Slow down.', { retry_after: 12.2 });
    throw new ForbiddenException();
  }

  @Get('broken')
  breakDown(): never {
    throw new Error('secret words of the inside');
  }

  @Get('database')
  async readDatabase(): Promise<Record<string, never>> {
    await this.database.ping();
    return {};
  }

  @Post('numbers')
  async storeNumber(@Body() body: unknown): Promise<unknown> {
    return (await this.database.pool.query('SELECT $1::int', [body])).rows;
  }

  @Get('slow')
  async slow(): Promise<{ done: boolean }> {
    await this.gate.passed();
    return { done: true };
  }

  @Get(':id')
  one(@Param('id') id: string): { id: string } {
    return { id };
  }
}
