import { describe, expect, it, vi } from 'vitest'
import { logIn } from '../../src/cli/gateway/login.ts'
import { endAfterEach, ending, listen } from './gateway-of.ts'
import { startPlainIssuer } from './plain-issuer.ts'
import { kept, signIn, signInBeforeEach } from './signing-in.ts'

endAfterEach()
signInBeforeEach()

describe('a page where servers tell of themselves', () => {
  it.each(['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'])(
    'is none of what they tell, which is at %s',
    async (at) => {
      const { url, asked } = await startPlainIssuer({ at, hasPages: true })
      await signIn([url])
      expect(kept().access).toBe('granted')
      expect(asked).toHaveLength(1)
    },
  )

  it('and everywhere else is told as nobody who signs people in', async () => {
    const { url } = await startPlainIssuer({ at: '/nowhere', registration: 404, hasPages: true })
    await expect(signIn([url])).rejects.toThrow(
      /nobody can be found who signs you in: .*\/register answers 200 and no JSON/,
    )
  })
})

describe('what servers tell of themselves wrongly is told with where it stands', () => {
  const SERVER = '/.well-known/oauth-authorization-server'
  const RESOURCE = '/.well-known/oauth-protected-resource'

  it.each([
    [{ issuer: 'https://other.example' }, 'its issuer: expected ORIGIN, got the string'],
    [{ issuer: undefined }, 'its issuer: expected ORIGIN, got nothing'],
    [{ code_challenge_methods_supported: 'S256' }, 'its code_challenge_methods_supported: expected a list'],
    [{ scopes_supported: [1] }, 'its scopes_supported: expected a list of texts, got the number 1'],
  ])('%j of an authorization server', async (metadata, words) => {
    const { url, origin } = await startPlainIssuer({ metadata })
    await expect(signIn([url])).rejects.toThrow(`${origin}${SERVER}: ${words.replace('ORIGIN', origin)}`)
  })

  it.each([
    [{ resource: undefined }, 'expected a resource in it, such as ORIGIN/mcp'],
    [{ authorization_servers: 'https://a.example' }, 'its authorization_servers: expected a list of texts'],
  ])('%j of a server', async (resource, words) => {
    const { url, origin } = await startPlainIssuer({ resource })
    await expect(signIn([url])).rejects.toThrow(`${origin}${RESOURCE}: ${words.replace('ORIGIN', origin)}`)
  })

  it('a list instead of an object', async () => {
    const url = await listen((_request, response) => response.writeHead(200).end('[]'))
    const place = `${new URL(url).origin}${RESOURCE}/mcp`
    await expect(logIn([url])).rejects.toThrow(`${place}: expected a JSON object, got an array`)
  })
})

describe('an answer that does not end in time', () => {
  it.each(['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-authorization-server', '/token'])(
    'of %s is told with who gave it, and what it was',
    async (at) => {
      const late = new AbortController()
      const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
      const clock = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal)
      ending.push(() => clock.mockRestore())
      const { url, origin } = await startPlainIssuer({ drips: { at, begun: () => late.abort(reason) } })
      const told = await signIn([url]).catch(String)
      expect(told).toContain(`${origin}${at} did not `)
      expect(told).toMatch(/did not (finish its )?answer within 20 s$/)
    },
  )
})
