/** An upload route that counts the received bytes and discards them. */
import { Controller, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { Public } from '../../../src/modules/access/public.decorator.js';
import { receiveUpload, TAKES_UPLOADS } from '../../../src/platform/http/upload.js';

/** Maximum size in bytes. */
export const MOST_OF_SAMPLE = 1_000_000;

@Public()
@Controller('v1/uploads')
export class SampleUploadController {
  @Post()
  @RouteConfig(TAKES_UPLOADS)
  async upload(@Req() request: FastifyRequest): Promise<{ name: string; size: number }> {
    return receiveUpload(request, { field: 'file', most: MOST_OF_SAMPLE }, async ({ name, bytes }) => {
      let size = 0;
      for await (const chunk of bytes) size += chunk.length;
      return { name, size };
    });
  }
}
