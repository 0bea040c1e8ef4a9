import { inspectionFileRoutes } from '../routes.ts';

export const handler = inspectionFileRoutes.resend();
