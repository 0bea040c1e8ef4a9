import { cancellationListRoutes } from '../routes.ts';

export const handler = cancellationListRoutes.handOver();
