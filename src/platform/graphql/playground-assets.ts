/** The files of the playground, from the installed packages. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type Asset, SCRIPT, serveAssets, STYLE } from '../answers/assets.js';
import { PLAYGROUND_SCRIPT, PLAYGROUND_STYLE } from './playground-script.js';

export const PLAYGROUND_PATH = '/graphql/assets';

const require = createRequire(import.meta.url);
const react = dirname(require.resolve('react/package.json'));
const reactDom = dirname(require.resolve('react-dom/package.json'));
const graphiql = dirname(require.resolve('graphiql/package.json'));

const ASSETS: Readonly<Record<string, Asset>> = {
  'react.js': { type: SCRIPT, content: { file: join(react, 'umd/react.production.min.js') } },
  'react-dom.js': { type: SCRIPT, content: { file: join(reactDom, 'umd/react-dom.production.min.js') } },
  'graphiql.js': { type: SCRIPT, content: { file: join(graphiql, 'graphiql.min.js') } },
  'graphiql.css': { type: STYLE, content: { file: join(graphiql, 'graphiql.min.css') } },
  'playground.js': { type: SCRIPT, content: { text: PLAYGROUND_SCRIPT } },
  'playground.css': { type: STYLE, content: { text: PLAYGROUND_STYLE } },
};

@Injectable()
export class PlaygroundAssets implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    serveAssets(this.host.httpAdapter.getInstance(), PLAYGROUND_PATH, ASSETS);
  }
}
