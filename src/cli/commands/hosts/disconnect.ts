export { defineDisconnect as define } from './connect.js';
