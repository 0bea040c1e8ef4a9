/** Request and response shapes. The health and contract operations need none. */
export {};
