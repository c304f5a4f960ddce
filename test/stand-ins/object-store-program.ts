import { openObjectStore } from "./object-store.ts";

// The store in a process of its own: PORT and DIRECTORY stay what they are when it is killed and started again.
await openObjectStore({ port: Number(process.env.PORT), directory: process.env.DIRECTORY ?? "" });
