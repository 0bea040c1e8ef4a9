import { restampRoutes } from '../routes.ts';

export const handler = restampRoutes.resend();
