// Lets a node that runs jobs hear where other nodes have written, so that it need not wait for its next sweep.

import type { AppContext } from '../actions/core/context.ts';
import type { TenantWakeUps } from '../actions/core/tenant-wake-ups.ts';
import { parseAnnouncement, type AnnouncedQueue } from '../actions/core/wake-up-announcer.ts';
import { NodeMessages, type NodeMessagesOptions } from '../store/postgres/node-messages.ts';

interface ListeningParts extends Pick<NodeMessagesOptions, 'connection' | 'onChange'> {
  readonly context: AppContext;
}

/** Listens until it is stopped. */
export function listenToNodes({ context, connection, onChange }: ListeningParts): { stop(): Promise<void> } {
  const { stores, clock, wakeUpAnnouncer } = context;
  const wakeUps: Readonly<Record<AnnouncedQueue, TenantWakeUps>> = {
    deliveries: context.deliveryWakeUps,
    mails: context.mailWakeUps,
  };
  const messages = new NodeMessages({
    connection,
    onChange,
    probe: (text) => stores.sendMessages([text]),
    onMessage(text) {
      const announced = parseAnnouncement(text);
      if (announced === undefined || announced.node === wakeUpAnnouncer.node) return;
      wakeUps[announced.queue].put(announced.tenant, clock.now());
    },
  });
  messages.start();
  return { stop: () => messages.stop() };
}
