import { itemRoutes } from '../flows/item-routes.ts';
import type { RegistrationData } from '../items/domain/data.ts';
import { Registration } from './contract.ts';

export const registrationRoutes = itemRoutes<RegistrationData>('registration', {
  one: 'registration request',
  model: Registration,
});
