/** Holds requests until the test releases them, so that no test has to sleep. */
import { EventEmitter, once } from 'node:events';
import { Injectable } from '@nestjs/common';

@Injectable()
export class Gate {
  private readonly events = new EventEmitter();
  private waiting = 0;

  async passed(): Promise<void> {
    const open = once(this.events, 'open');
    this.waiting++;
    this.events.emit('arrival');
    await open;
    this.waiting--;
  }

  /** Resolves when `count` requests wait. */
  async holds(count: number): Promise<void> {
    while (this.waiting < count) await once(this.events, 'arrival');
  }

  open(): void {
    this.events.emit('open');
  }
}
