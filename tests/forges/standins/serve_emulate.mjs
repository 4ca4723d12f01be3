// Serves the GitHub of `emulate` on loopback; prints address and tokens as JSON. The argument is where it is installed.
import { pathToFileURL } from 'node:url'
const { createEmulator } = await import(pathToFileURL(process.argv[2] + '/node_modules/emulate/dist/api.js'))
const users = [{ login: 'ann' }, { login: 'bob' }, { login: 'moot' }]
const repos = [{ owner: 'moot', name: 'game', auto_init: true }]
const tokens = { ann_token: { login: 'ann', scopes: ['repo'] }, bob_token: { login: 'bob', scopes: ['repo'] }, moot_token: { login: 'moot', scopes: ['repo'] } }
const github = await createEmulator({ service: 'github', port: 0, seed: { tokens, github: { users, repos } } })
console.log(JSON.stringify({ url: github.url, token: 'moot_token' }))
