import * as z from 'zod';

export const SessionQuery = z.object({
  session: z.string().min(1).describe('The value that the redirect URI received.'),
});

export const CustomState = z.string().nullable().describe('As given when the session was created.');
