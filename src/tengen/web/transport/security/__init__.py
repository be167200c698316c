"""Three of the four security middlewares: headers of responses, admission of requests, and limits.

The fourth identifies visitors (`tengen.web.transport.visitors`). A request passes headers, admission,
visitors and limits, in this order.
"""
