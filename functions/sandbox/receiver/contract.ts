import * as z from 'zod';

// Longer would outlast the function that waits.
const MAX_DELAY_MS = 120_000;

export const ReceiverParams = z.object({ name: z.string().min(1).max(100) });

export const Misbehaviour = z.object({
  status: z.coerce.number().int().min(200).max(599).default(200).describe('What to answer.'),
  delayMs: z.coerce.number().int().min(0).max(MAX_DELAY_MS).default(0).describe('How long to wait first.'),
});

export const Received = z.object({ id: z.string(), size: z.int(), sha256: z.string() });

export const Delivery = z.object({
  id: z.string(),
  receivedAt: z.iso.datetime(),
  status: z.int().describe('What it was answered.'),
  headers: z.record(z.string(), z.string()),
  size: z.int(),
  sha256: z.string(),
  body: z.string().nullable().describe('The text; null when it is too large to show.'),
});

export const Deliveries = z.object({ items: z.array(Delivery) });
