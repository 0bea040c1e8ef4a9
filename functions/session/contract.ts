import * as z from 'zod';

export const SessionQuery = z.object({
  sessionId: z.string().min(1).describe('As POST /v1/sessions answered it.'),
});

export const SessionStatus = z.object({
  active: z.boolean().describe('False for an id that names nothing active.'),
  sessionId: z.string(),
  expiresIn: z.int().min(0).describe('Seconds until the session ends; 0 when it is not active.'),
  expiresAt: z.iso.datetime().describe('The moment of asking when the session is not active.'),
});
