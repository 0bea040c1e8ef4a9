import { transcriptRoutes } from '../routes.ts';

export const handler = transcriptRoutes.list();
