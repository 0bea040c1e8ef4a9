import { registrationRoutes } from '../routes.ts';

export const handler = registrationRoutes.get();
