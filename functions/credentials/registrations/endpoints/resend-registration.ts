import { registrationRoutes } from '../routes.ts';

export const handler = registrationRoutes.resend();
